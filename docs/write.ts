import { readFile, writeFile } from 'node:fs/promises'
import { findFunctions } from '../functions/find-functions.ts'
import { awsSimulatorPage } from './aws-coverage.ts'
import { infrastructurePage } from './aws-permissions.ts'
import { settingsPage } from './settings-page.ts'

await writeFile(new URL('settings.md', import.meta.url), settingsPage(await findFunctions()))

const simulator = new URL('aws-simulator.md', import.meta.url)
await writeFile(simulator, awsSimulatorPage(await readFile(simulator, 'utf8')))

const infrastructure = new URL('infrastructure.md', import.meta.url)
await writeFile(infrastructure, infrastructurePage(await readFile(infrastructure, 'utf8')))
