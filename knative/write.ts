import { fileURLToPath } from 'node:url'
import { findFunctions } from '../functions/find-functions.ts'
import { writeManifests } from './write-manifests.ts'

await writeManifests(fileURLToPath(new URL('functions', import.meta.url)), await findFunctions())
