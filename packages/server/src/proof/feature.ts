import { shows } from '../auth/visibility.ts';
import type { Feature, Services } from '../feature.ts';
import { visibleStatus, visibleTracking } from '../tracking/status.ts';
import { fileHandlers } from './file-handlers.ts';
import { proofHandlers } from './handlers.ts';
import { lockFilesOf, removeAbandonedUploads, removeUnfinishedFiles, removeUploadsOfAccount } from './removal.ts';

/** Proofs of delivery, and the files of proofs, exceptions and documents. */
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
    voided_proofs: {
      citus: 'distributed',
      expired: 'stays',
      ofAccount: ['shipment_id', 'voided_at'],
      ofShipment: { secrets: [] },
    },
  },
  handlers: (services: Services): ReturnType<typeof proofHandlers> & ReturnType<typeof fileHandlers> => ({
    ...proofHandlers(services),
    ...fileHandlers(services),
  }),
  shown: {
    bodies: {
      getProofOfDelivery: 'proof',
      submitProofOfDelivery: 'status', // what the caller has sent
      createProofUpload: 'status',
      listProofUploads: 'status', // its own
      deleteProofUpload: 'status',
      voidTrackingEvent: visibleTracking,
    },
    events: {
      'tracking.event_voided': visibleStatus,
      'proof_of_delivery.submitted': (data, access) =>
        shows(access, 'proof') ? visibleStatus(data, access) : undefined,
    },
  },
} satisfies Feature;
