if (import.meta.env?.PROD) {
  await import('./reader.ts');
} else {
  const { loadTypeScriptSource } = await import('../../load-source.js');
  loadTypeScriptSource(import.meta.url, './reader.ts');
}
