import { readFile, writeFile } from 'node:fs/promises'
import { awsSimulatorPage } from './aws-coverage.ts'
import { infrastructurePage } from './aws-permissions.ts'
import { errorsPage } from './errors-page.ts'
import { settingsPage } from './settings-page.ts'

await writeFile(new URL('settings.md', import.meta.url), settingsPage())
await writeFile(new URL('errors.md', import.meta.url), errorsPage())

const simulator = new URL('aws-simulator.md', import.meta.url)
await writeFile(simulator, awsSimulatorPage(await readFile(simulator, 'utf8')))

const infrastructure = new URL('infrastructure.md', import.meta.url)
await writeFile(infrastructure, infrastructurePage(await readFile(infrastructure, 'utf8')))
