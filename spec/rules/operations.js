import { follow } from './follow.js';

/** Every operation names exactly one scope, or none if it needs no key. */
export function oneScope() {
  let scopes = [];
  return {
    Root(root, ctx) {
      const scheme = follow(ctx, root.components?.securitySchemes?.apiKey, ctx.location).node;
      scopes = Object.keys(scheme?.['x-scopes'] ?? {});
    },
    Operation({ security }, { location, report }) {
      if (security?.length === 0) return;
      const schemes = Object.entries(security?.length === 1 ? security[0] : {});
      const [[scheme, named] = []] = schemes;
      if (schemes.length === 1 && scheme === 'apiKey' && named.length === 1 && scopes.includes(named[0])) return;
      const message = `Set \`security: []\`, or one apiKey with one of the scopes ${scopes.join(', ')}.`;
      report({ message, location: security ? location.child('security') : location });
    },
  };
}

/** A key that may only read cannot write. A scope for writing permits reads if there is none for reading. */
export function fittingScope() {
  let scopes = {};
  return {
    Root(root, ctx) {
      scopes = follow(ctx, root.components?.securitySchemes?.apiKey, ctx.location).node?.['x-scopes'] ?? {};
    },
    Operation({ security }, { key, location, report }) {
      const [scope] = security?.[0]?.apiKey ?? [];
      if (scope === undefined) return;
      const isOnlyScope = scope.endsWith(':write') && !(scope.replace(/:write$/, ':read') in scopes);
      const kind = key === 'get' && !isOnlyScope ? ':read' : ':write';
      if (scope.endsWith(kind)) return;
      report({ message: `Use a scope that ends in ${kind} for a ${key}.`, location: location.child('security') });
    },
  };
}

/** Every status that the service can return is documented. */
export function documentedResponses() {
  return {
    Paths: {
      Operation(operation, ctx) {
        const parameters = operation.parameters ?? [];
        const inPath = parameters.some((parameter) => follow(ctx, parameter, ctx.location).node?.in === 'path');
        const needed = [
          ...['400', '500', '503'],
          ...(operation.security?.length > 0 ? ['401', '403'] : []),
          ...(inPath ? ['404'] : []),
          ...(operation.requestBody ? ['413', '415'] : []),
        ];
        const missing = needed.filter((status) => !operation.responses?.[status]).sort();
        if (missing.length === 0) return;
        const message = `Document ${missing.join(', ')}: every such operation can return them.`;
        ctx.report({ message, location: ctx.location.child('responses').key() });
      },
    },
  };
}
