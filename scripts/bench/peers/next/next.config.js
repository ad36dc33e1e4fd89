import path from 'node:path';

/** @type {import('next').NextConfig} */
export default {
  // What the peers share lies beside this folder.
  turbopack: { root: path.resolve(import.meta.dirname, '..') },
  outputFileTracingRoot: path.resolve(import.meta.dirname, '..'),
  serverExternalPackages: ['pg'],
  // The product is measured without compression, too.
  compress: false,
};
