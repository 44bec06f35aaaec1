const required = 24;

/** What is wrong with the version of Node; undefined when it is new enough. */
export const nodeVersionError = (): string | undefined =>
  Number.parseInt(process.versions.node, 10) < required
    ? `Waybill's sandbox needs Node ${required} or later, but this is Node ${process.versions.node}. Install a newer Node.`
    : undefined;
