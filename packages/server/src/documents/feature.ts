import type { EventData } from '@waybill/contract/events';
import type { Access } from '../auth/visibility.ts';
import type { Feature } from '../feature.ts';
import { mayTrack } from '../tracking/status.ts';
import { documentHandlers } from './handlers.ts';

/** The document of an event. */
const visibleChange = ({ document_change }: Required<EventData>, access: Access) =>
  mayTrack(access) && access.documents ? { document_change } : undefined;

/** Files of shipments that have a type. They are uploads, whose table the proofs of delivery have. */
export const documents = {
  tables: {},
  handlers: documentHandlers,
  shown: {
    bodies: {
      addDocument: 'status', // what the caller has sent
      listDocuments: 'documents',
    },
    events: {
      'document.added': visibleChange,
      'document.removed': visibleChange,
    },
  },
} satisfies Feature;
