import { writeFile } from 'node:fs/promises'
import { settingsPage } from './settings-page.ts'

await writeFile(new URL('settings.md', import.meta.url), settingsPage())
