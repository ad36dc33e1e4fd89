if (import.meta.env?.PROD) {
  await import('./reader.ts');
} else {
  const { loadSource } = await import('../../load-source.js');
  loadSource(import.meta.url, './reader.ts');
}
