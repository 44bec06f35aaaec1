/** Maximum bytes of a JSON body: the 1 MiB that the introduction of the contract states. */
export const maxBodyBytes: number = 1024 ** 2;
