import { readdir, readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { findFunctions } from '../../functions/find-functions.ts'
import { findWebhooks } from '../../functions/find-webhooks.ts'
import { deploymentOf } from '../deployment.ts'
import { profileNames } from '../profiles/broker-profile.ts'
import { profileFiles } from '../profiles/profile-files.ts'
import { admissionFiles, baseFiles } from './manifest-files.ts'

const deployment = deploymentOf({ functions: await findFunctions(), webhooks: await findWebhooks() })

test.each([
  ['base', baseFiles(deployment)],
  ['admission', admissionFiles(deployment)],
  ...profileNames.map(name => [`profiles/${name}`, profileFiles(deployment, name)] as const),
] as const)('knative/%s is what follows from the definitions: make manifests', async (name, files) => {
  const folder = new URL(`../${name}/`, import.meta.url)
  const written = await readdir(folder, { recursive: true })
  expect(written.filter(file => file.endsWith('.yaml')).toSorted()).toEqual([...files.keys()].toSorted())
  for (const [file, text] of files) expect(await readFile(new URL(file, folder), 'utf8'), file).toBe(text)
})
