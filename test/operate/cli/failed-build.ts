/** Builds an app that cannot be built, and leaves it to the event loop when the process ends. */
import { buildApp } from '@waybill/server/app';
import { readConfig } from '@waybill/server/config';

const DATABASE_URL = 'postgres://127.0.0.1:1/waybill';
const config = readConfig({ DATABASE_URL, DOCS_DIR: import.meta.filename, LOG_LEVEL: 'silent' }, []);
await buildApp(config).catch(({ message }) => console.log(message));
