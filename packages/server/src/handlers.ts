import type { Handlers } from './contract/operations.ts';
import { getProofFile, putProofFile } from './proof/file-handlers.ts';
import { createProofUpload, getProofOfDelivery, submitProofOfDelivery } from './proof/handlers.ts';
import { cancelShipment, createShipment, getShipment, listShipments } from './shipments/handlers.ts';
import { getTracking, listPositions, recordPositions, recordTrackingEvent } from './tracking/handlers.ts';

/** One function per operation of the contract; a missing or misspelt one does not compile. */
export const handlers: Handlers = {
  cancelShipment,
  createProofUpload,
  createShipment,
  getProofFile,
  getProofOfDelivery,
  getShipment,
  getTracking,
  listPositions,
  listShipments,
  putProofFile,
  recordPositions,
  recordTrackingEvent,
  submitProofOfDelivery,
};
