node_modules/node/bin/node --conditions=waybill-source packages/docs/samples/quickstart/first.ts
