import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { env } from '#app/env.server.ts';
import { ContractPage } from '#app/server/contract/page/contract-page.tsx';
import { apiResource } from '#app/server/api/api-resource.server.ts';
import { taggedJson } from '#app/server/api/api-responses.server.ts';
import { openApiDocument } from '#app/server/contract/openapi.server.ts';
import { styleHash } from '#app/server/document/inline-styles.server.ts';
import base from '#app/styles/base.css?inline';
import own from '#app/styles/features/contract.css?inline';
import tokens from '#app/styles/tokens.css?inline';

const styles = [tokens, base, own].join('\n');
const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': `default-src 'none'; style-src ${styleHash(styles)}; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  vary: 'Accept',
};

/** The page is made once, since strangers may ask for it. */
let page: string | undefined;

export const loader = apiResource({
  GET: async ({ request }) => {
    if (wantsJson(request)) return taggedJson(request, openApiDocument(env.PRODUCT_NAME), { vary: 'Accept' });
    page ??= `<!DOCTYPE html>${renderToStaticMarkup(createElement(ContractPage, { productName: env.PRODUCT_NAME, styles }))}`;
    return new Response(page, { headers: HEADERS });
  },
});
export const action = loader;

function wantsJson({ headers }: Request): boolean {
  const accepted = headers.get('accept') ?? '';
  return accepted.includes('application/json') && !accepted.includes('text/html');
}
