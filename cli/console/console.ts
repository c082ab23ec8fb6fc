/** The console: a read-only page for operators, from a seed or a journal, served on 127.0.0.1 or as one file. */

export { type ExportOptions, exportPage, mostExported } from './export-page.ts'
export { pageProgram } from './page-program.ts'
export type { ConsoleSource } from './server/session.ts'
export type { ConsoleServer, PlanObject } from './server/start-server.ts'
export { journalSource } from './sources/journal-source.ts'
export { type ConsoleOptions, startConsole } from './start-console.ts'
export { type ConsoleStore, createStore } from './store/create-store.ts'
export { observedTree } from './store/observed-tree.ts'
