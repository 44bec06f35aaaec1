import type { Feature } from '../feature.ts';
import { lockFilesOf, removeAbandonedUploads, removeUnfinishedFiles, removeUploadsOfAccount } from './removal.ts';

/** Proofs of delivery, and the files of proofs and exceptions. */
export const proof = {
  tables: {
    stored_bytes: { citus: 'distributed', expired: 'stays', ofAccount: 'at_once' },
    proof_uploads: {
      citus: 'distributed',
      expired: { uploads: removeAbandonedUploads, unfinishedFiles: removeUnfinishedFiles },
      ofAccount: removeUploadsOfAccount,
      ofShipment: { secrets: [], files: lockFilesOf },
      counted: 'files',
    },
    proofs: { citus: 'distributed', expired: 'stays', ofAccount: ['shipment_id'], ofShipment: { secrets: [] } },
  },
} satisfies Feature;
