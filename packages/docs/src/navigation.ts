import { problems } from '@waybill/contract/problems';
import type { DefaultTheme } from 'vitepress';
import { operations, tags } from './contract.ts';
import { workflows } from './workflows.ts';

/** A folder with a list of its own, such as the errors. */
const list = (text: string, folder: string, pages: [title: string, name: string][]): DefaultTheme.SidebarItem[] => [
  { text: 'Documentation', link: '/' },
  {
    text,
    items: [{ text: 'Overview', link: folder }, ...pages.map(([text, name]) => ({ text, link: folder + name }))],
  },
];

/** The navigation by task, and that of each folder with many pages. */
export const sidebar = (): DefaultTheme.SidebarMulti => ({
  '/errors/': list(
    'Errors',
    '/errors/',
    Object.keys(problems).map((code) => [code, code]),
  ),
  '/workflows/': list(
    'Workflows',
    '/workflows/',
    workflows.map(({ workflowId, title }) => [title, workflowId]),
  ),
  '/': byTask(),
});

const byTask = (): DefaultTheme.SidebarItem[] => [
  {
    text: 'Get started',
    items: [
      { text: 'Quickstart', link: '/' },
      { text: 'Authentication', link: '/guides/authentication' },
      { text: 'Errors and limits', link: '/guides/errors-and-limits' },
      { text: 'Mock server', link: '/guides/mock' },
    ],
  },
  {
    text: 'Ship',
    items: [
      { text: 'Idempotency and retries', link: '/guides/retries' },
      { text: 'Pagination', link: '/guides/pagination' },
      { text: 'Event feed', link: '/guides/events' },
      { text: 'Webhooks', link: '/guides/webhooks' },
      { text: 'Live events', link: '/guides/live-events' },
      { text: 'Polling with ETag', link: '/guides/polling' },
    ],
  },
  {
    text: 'Carry and deliver',
    items: [
      { text: 'Carrier workflow', link: '/guides/carriers' },
      { text: 'Proof of delivery uploads', link: '/guides/proof-of-delivery' },
      { text: 'Shipment lifecycle', link: '/lifecycle' },
    ],
  },
  { text: 'API reference', items: [{ text: 'Overview', link: '/reference/' }] },
  ...tags.map(({ name }) => ({
    text: name,
    items: operations
      .filter(({ tag }) => tag === name)
      .map(({ operationId, summary }) => ({ text: summary, link: `/reference/${operationId}` })),
  })),
  {
    text: 'More',
    items: [
      { text: 'Errors', link: '/errors/' },
      { text: 'Workflows', link: '/workflows/' },
      { text: 'Changelog', link: '/changelog' },
    ],
  },
];
