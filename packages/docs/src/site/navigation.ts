import { problems } from '@waybill/contract/problems';
import type { DefaultTheme } from 'vitepress';
import { operations, tags } from '../contract.ts';
import { workflows } from '../workflows.ts';

/** A folder with a list of its own, such as the errors. */
const list = (text: string, folder: string, pages: [title: string, name: string][]): DefaultTheme.SidebarItem[] => [
  {
    text,
    items: [{ text: 'Overview', link: folder }, ...pages.map(([text, name]) => ({ text, link: folder + name }))],
  },
];

/** The guides by task, and the list of each folder with many pages. */
export const sidebar = (): DefaultTheme.SidebarMulti => ({
  '/reference/': [
    { text: 'API reference', items: [{ text: 'Overview', link: '/reference/' }] },
    ...tags.map(({ name }) => ({
      text: name,
      items: operations
        .filter(({ tag }) => tag === name)
        .map(({ operationId, summary, method }) => ({
          text: `${summary} <b class="method ${method.toLowerCase()}">${method}</b>`,
          link: `/reference/${operationId}`,
        })),
    })),
  ],
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
  '/': guides,
});

const guides: DefaultTheme.SidebarItem[] = [
  {
    text: 'Get started',
    items: [
      { text: 'Quickstart', link: '/quickstart' },
      { text: 'Authentication', link: '/guides/authentication' },
      { text: 'Clients', link: '/guides/clients' },
      { text: 'Errors and limits', link: '/guides/errors-and-limits' },
      { text: 'Mock server', link: '/guides/mock' },
      { text: 'Test against Waybill', link: '/guides/tests' },
    ],
  },
  {
    text: 'Ship',
    items: [
      { text: 'Idempotency and retries', link: '/guides/retries' },
      { text: 'Describe the freight', link: '/guides/freight' },
      { text: 'Change a shipment', link: '/guides/changes' },
      { text: 'Pagination', link: '/guides/pagination' },
    ],
  },
  {
    text: 'Carry and deliver',
    items: [
      { text: 'Carrier workflow', link: '/guides/carriers' },
      { text: 'Access to one shipment', link: '/guides/access' },
      { text: 'Links for drivers', link: '/guides/driver-links' },
      { text: 'Exceptions', link: '/guides/exceptions' },
      { text: 'X12 214 messages', link: '/guides/edi-214' },
      { text: 'Proof of delivery uploads', link: '/guides/proof-of-delivery' },
      { text: 'Documents', link: '/guides/documents' },
      { text: 'Shipment lifecycle', link: '/lifecycle' },
    ],
  },
  {
    text: 'Follow every change',
    items: [
      { text: 'Event feed', link: '/guides/events' },
      { text: 'Webhooks', link: '/guides/webhooks' },
      { text: 'Polling with ETag', link: '/guides/polling' },
      { text: 'Board', link: '/guides/board' },
      { text: 'Tools for agents', link: '/guides/agents' },
    ],
  },
  {
    text: 'More',
    items: [
      { text: 'API reference', link: '/reference/' },
      { text: 'Errors', link: '/errors/' },
      { text: 'Workflows', link: '/workflows/' },
      { text: 'Versions and deprecation', link: '/guides/versions' },
      { text: 'Changelog', link: '/changelog' },
    ],
  },
];
