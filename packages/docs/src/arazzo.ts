/** The parts of the Arazzo documents that the pages use. */
export interface Arazzo {
  info: { title: string };
  components: { parameters: Parameters };
  workflows: Workflow[];
}

export interface Workflow {
  workflowId: string;
  summary: string;
  description: string;
  inputs: { properties: Record<string, { description: string }> };
  steps: Step[];
}

export interface Step {
  stepId: string;
  description: string;
  operationId: string;
  /** A step that uses a signed URL has this. */
  'x-operation'?: { method: string; url: string };
  parameters?: (Parameter | { reference: string })[];
  requestBody?: { payload: unknown; replacements?: { target: string; value: unknown }[] };
  successCriteria: { condition: string; context?: string }[];
  outputs?: Record<string, string>;
}

export interface Parameter {
  in: string;
  name: string;
  value: string | number;
}

export type Parameters = Record<string, Parameter>;
