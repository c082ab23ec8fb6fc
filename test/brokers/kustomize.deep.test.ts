import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { type BrokerName, parseManifests, profileNames } from '../../sandbox/knative/knative.ts'
import { kubectlFile, withKubectl } from '../e2e/kubectl.ts'
import { applied } from './applied.ts'

const root = join(import.meta.dirname, '../..')

describe.skipIf(kubectlFile === undefined)(withKubectl, () => {
  test.each<BrokerName>(profileNames)(
    'kustomize puts the profile %s on the base as the sandbox does',
    async name => {
      // Beside the folders that it names by relative paths, and where no test searches for manifests.
      const folder = await mkdtemp(join(root, 'node_modules/.kustomize-'))
      try {
        await writeFile(
          join(folder, 'kustomization.yaml'),
          `resources: [../../knative/base]\ncomponents: [../../knative/profiles/${name}]\n`,
        )
        const { stdout } = await promisify(execFile)(kubectlFile ?? '', ['kustomize', folder], {
          maxBuffer: 2 ** 26,
        })
        const made = parseManifests([{ name: 'kustomize', text: stdout }])
        const { brokers, triggers, services, configMaps } = await applied(name)
        const byName = <T extends { readonly metadata: { readonly name: string } }>(objects: readonly T[]) =>
          objects.toSorted((one, other) => (one.metadata.name < other.metadata.name ? -1 : 1))
        expect(made.brokers).toEqual(brokers)
        expect(byName(made.triggers)).toEqual(byName(triggers))
        expect(byName(made.services)).toEqual(byName(services))
        expect(made.configMaps).toEqual(configMaps)
      } finally {
        await rm(folder, { recursive: true })
      }
    },
  )
})
