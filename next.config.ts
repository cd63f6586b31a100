import type { NextConfig } from 'next';

const config: NextConfig = {
  reactStrictMode: true,
  poweredByHeader: false,
  typedRoutes: true,
  // `npm test` checks the types of the whole tree; the build of `npm run up` need not do it again.
  typescript: { ignoreBuildErrors: true },
  // The natives, and what looks for one of its own, load as they are; the rest of the server code is bundled.
  serverExternalPackages: ['better-sqlite3', '@node-rs/argon2', 'pino', 'ws'],
  // Not a page that redirects: under a loading state such a page is sent first, and reloads a second later.
  redirects: () => Promise.resolve([{ source: '/settings', destination: '/settings/people', permanent: false }]),
  experimental: {
    // Uploads go through a route that streams; an action carries form fields only.
    serverActions: { bodySizeLimit: '2mb' },
    // A clone is built once: a cache for the next build costs more time than it saves.
    turbopackFileSystemCacheForBuild: false,
  },
};

export default config;
