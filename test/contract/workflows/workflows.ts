import documents from '@waybill/contract/workflows.json' with { type: 'json' };
import { type ContractOperation, contractOperations } from '../../fixtures/contract/contract.ts';

/** The parts of an Arazzo step that the tests look at. */
export interface Step {
  stepId: string;
  operationId: string;
  /** A step that follows a signed URL has this. */
  'x-operation'?: object;
  successCriteria?: { condition: string }[];
}

export const workflows: { workflowId: string; steps: Step[] }[] = documents.flatMap(
  (document) => document.workflows as typeof workflows,
);

export const operationOf = (step: Step): ContractOperation | undefined =>
  contractOperations.find(({ id }) => id === step.operationId);
