import path from 'node:path';

/** @type {import('next').NextConfig} */
export default {
  // The peers' shared code lies beside this folder.
  turbopack: { root: path.resolve(import.meta.dirname, '..') },
  outputFileTracingRoot: path.resolve(import.meta.dirname, '..'),
  serverExternalPackages: ['pg'],
};
