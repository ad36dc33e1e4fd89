import type { useLoaderData } from '@remix-run/react';
import type { loader } from './route.tsx';

export type AircraftPageData = ReturnType<typeof useLoaderData<typeof loader>>;
