/** The console: a page for operators, from a seed or a journal, served on 127.0.0.1 or as one file. */

export { bridgeTap, exportJournal, exportView, openCluster, openJournal, openSeed } from './open-console.ts'
export { consoleActions } from './server/console-actions.ts'
export type { ConsoleServer } from './server/start-server.ts'
