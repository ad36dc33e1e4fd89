import type { ReactNode } from 'react';
import { Link } from '@remix-run/react';
import { ProductMark } from './product-mark.tsx';

interface ShellProps {
  productName: string;
  children: ReactNode;
}

/**
 * What stands round every page: skip link, header with the product's name, the main region.
 * Used once, in root: `<Shell productName={name}><Outlet /></Shell>`.
 */
export function Shell({ productName, children }: ShellProps) {
  return (
    <>
      <a className="skip-link" href="#main">
        Skip to main content
      </a>
      <header className="masthead">
        <Link className="masthead-home" to="/">
          <ProductMark />
          <span>{productName}</span>
        </Link>
      </header>
      <main id="main" tabIndex={-1}>
        {children}
      </main>
    </>
  );
}
