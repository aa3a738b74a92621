import { defineConfig, type DefaultTheme } from 'vitepress';
import { compressTexts } from '../../scripts/compress-texts.ts';
import { linkRepositoryFiles } from './link-repository-files.ts';
import { moveInlineScripts } from './move-inline-scripts.ts';
import { listPages } from './list-pages.ts';
import { renderDiagrams } from './render-diagrams.ts';
import { showBraces } from './show-braces.ts';

const guide: DefaultTheme.SidebarItem[] = [
  {
    text: 'Start here',
    items: [
      { text: 'Quick start', link: '/guide/quick-start' },
      { text: 'Authentication', link: '/guide/authentication' },
      { text: 'Test with magic recipients', link: '/guide/testing' },
      { text: 'TypeScript client', link: '/guide/client' },
    ],
  },
  {
    text: 'Messages',
    items: [
      { text: 'Send a message', link: '/guide/sending' },
      { text: 'Idempotency', link: '/guide/idempotency' },
      { text: 'Statuses and the timeline', link: '/guide/statuses' },
      { text: 'Webhooks', link: '/guide/webhooks' },
      { text: 'Security codes', link: '/guide/security-codes' },
      { text: 'Schedules', link: '/guide/schedules' },
    ],
  },
  {
    text: 'Many recipients',
    items: [
      { text: 'Contacts and phonebooks', link: '/guide/contacts' },
      { text: 'Bulk SMS', link: '/guide/bulk' },
      { text: 'Analytics', link: '/guide/analytics' },
    ],
  },
  {
    text: 'Replies and people',
    items: [
      { text: 'Inbound messages', link: '/guide/inbound' },
      { text: 'Notifications', link: '/guide/notifications' },
      { text: 'Privacy', link: '/guide/privacy' },
    ],
  },
  {
    text: 'Reference',
    items: [
      { text: 'Command line', link: '/guide/command-line' },
      { text: 'Limits', link: '/guide/limits' },
      { text: 'Errors', link: '/errors/' },
      { text: 'API reference', link: '/api', target: '_self' },
    ],
  },
];

const operations: DefaultTheme.SidebarItem[] = [
  {
    text: 'Operations',
    items: [
      { text: 'In production', link: '/production' },
      { text: 'Configuration', link: '/configuration' },
      { text: 'Runbook', link: '/runbook' },
      { text: 'Security', link: '/security' },
      { text: 'Security by ASVS', link: '/security-asvs' },
      { text: 'With services of others', link: '/external-services' },
      { text: 'Reliability', link: '/reliability' },
      { text: 'Scaling', link: '/scaling' },
      { text: 'Upgrades', link: '/upgrades' },
      { text: 'Traces', link: '/tracing' },
      { text: 'Benches', link: '/benches' },
      { text: 'Performance', link: '/performance/' },
      { text: 'Growth', link: '/performance/growth' },
    ],
  },
];

const design: DefaultTheme.SidebarItem[] = [
  { text: 'Design', items: [{ text: 'Architecture', link: '/architecture' }] },
  { text: 'Decisions', link: '/decisions/', items: listPages('decisions') },
];

const service: DefaultTheme.SidebarItem[] = [
  {
    text: 'The service',
    items: [
      { text: 'How it compares', link: '/comparison' },
      { text: 'Changelog', link: '/changelog' },
      { text: 'Releases', link: '/releases' },
    ],
  },
];

/** The site is served by the API at /docs; its reference, which is no page of the site, at /docs/api. */
export default defineConfig({
  title: 'SMS service',
  description: 'A multi-tenant SMS platform that you run on your own servers.',
  lang: 'en',
  base: '/docs/',
  head: [['link', { rel: 'icon', type: 'image/svg+xml', href: '/docs/icon.svg' }]],
  cleanUrls: true,
  // Otherwise the inline data of each page differ, and no Content-Security-Policy could name them.
  metaChunk: true,
  rewrites: (id) => id.replace(/README\.md$/, 'index.md'),
  ignoreDeadLinks: [/^\/api(#.*)?$/],
  markdown: {
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    config: (markdown) => {
      markdown.use(linkRepositoryFiles);
      markdown.use(renderDiagrams);
      markdown.use(showBraces);
    },
  },
  transformHtml: moveInlineScripts,
  buildEnd: ({ outDir }) => compressTexts(outDir),
  themeConfig: {
    nav: [
      { text: 'Guide', link: '/guide/quick-start', activeMatch: '^/guide/' },
      { text: 'API reference', link: '/api', target: '_self' },
      { text: 'Errors', link: '/errors/', activeMatch: '^/errors/' },
      {
        text: 'Operations',
        link: '/runbook',
        activeMatch:
          '^/(runbook|security|production|configuration|external-services|reliability|scaling|upgrades|tracing|benches|performance)',
      },
      { text: 'Design', link: '/architecture', activeMatch: '^/(architecture|decisions)' },
      {
        text: 'More',
        items: [
          { text: 'How it compares', link: '/comparison' },
          { text: 'Changelog', link: '/changelog' },
          { text: 'Releases', link: '/releases' },
        ],
      },
    ],
    sidebar: {
      '/guide/': guide,
      '/errors/': [{ text: 'Errors', link: '/errors/', items: listPages('errors') }],
      '/architecture': design,
      '/decisions/': design,
      '/comparison': service,
      '/changelog': service,
      '/releases': service,
      '/': operations,
    },
    outline: { level: [2, 3] },
    search: { provider: 'local' },
    docFooter: { prev: 'Before', next: 'Next' },
  },
});
