import documents from '@waybill/contract/workflows.json' with { type: 'json' };
import { type ContractOperation, contractOperations } from '../../fixtures/contract.ts';

/** The parts of an Arazzo step that the tests look at. */
export interface Step {
  stepId: string;
  description?: string;
  operationId: string;
  /** A step that follows a signed URL has this. */
  'x-operation'?: { method: string; url: string };
  successCriteria?: { condition: string }[];
}

/** All workflows of `spec/workflows`. */
export const workflows: { workflowId: string; summary?: string; description?: string; steps: Step[] }[] =
  documents.flatMap((document) => document.workflows as typeof workflows);

/** The contract's operation of a step. */
export const operationOf = (step: Step): ContractOperation | undefined =>
  contractOperations.find(({ id }) => id === step.operationId);
