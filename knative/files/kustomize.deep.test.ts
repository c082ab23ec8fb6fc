import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parseAllDocuments, stringify } from 'yaml'
import { projectDeployment, seedProcessDeployment } from '../../build/project/project-deployment.ts'
import { hasKubectl } from '../../sandbox/kubernetes/testing/kubectl.ts'
import type { KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'
import { deployedObjects } from '../deployed-objects.ts'

const own = fileURLToPath(new URL('..', import.meta.url))
const run = promisify(execFile)

const kustomized = async (folder: string): Promise<readonly KubernetesObject[]> => {
  const { stdout } = await run('kubectl', ['kustomize', folder], { maxBuffer: 16 * 1024 * 1024 })
  return parseAllDocuments(stdout).map(document => document.toJS() as KubernetesObject)
}

/** If CI requires it, the test fails without kubectl. */
const skipped = !hasKubectl() && process.env.CI === undefined

describe.skipIf(skipped)(
  `kubectl kustomize${skipped ? ' (skipped: there is no kubectl on the PATH)' : ''}`,
  () => {
    let folder: string
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'trellis-kustomize-'))
      // Paths of resources are relative to the kustomization that names them.
      await cp(own, join(folder, 'knative'), { recursive: true, filter: path => !path.endsWith('.ts') })
      await mkdir(join(folder, 'seed'))
    })
    afterAll(() => rm(folder, { recursive: true }))

    const overlay = async (content: object) => {
      await writeFile(
        join(folder, 'seed/kustomization.yaml'),
        stringify({
          apiVersion: 'kustomize.config.k8s.io/v1beta1',
          kind: 'Kustomization',
          // Must be set here: kustomize ignores the option in resources.
          sortOptions: { order: 'fifo' },
          ...content,
        }),
      )
      return kustomized(join(folder, 'seed'))
    }

    test.each([
      ['base', projectDeployment],
      ['seed-process', seedProcessDeployment],
    ] as const)(
      'of knative/%s gives the objects of the deployment in their order',
      async (name, deployment) => {
        expect(await kustomized(join(folder, 'knative', name))).toEqual(deployedObjects(await deployment()))
      },
    )

    test('sets an image of another registry in a Deployment and in a Knative Service', async () => {
      const objects = await overlay({
        resources: ['../knative/base'],
        images: ['bridge', 'aws-dnsrecord'].map(program => ({
          name: `registry.invalid/trellis/${program}`,
          newName: `registry.test/${program}`,
          digest: `sha256:${'0'.repeat(64)}`,
        })),
      })
      const images = [...JSON.stringify(objects).matchAll(/"image":"(registry\.test[^"]*)"/g)].map(
        ([, image]) => image,
      )
      expect(images.toSorted()).toEqual([
        `registry.test/aws-dnsrecord@sha256:${'0'.repeat(64)}`,
        `registry.test/bridge@sha256:${'0'.repeat(64)}`,
      ])
    })

    test.each([
      ['without-oidc', 'base', ['EventPolicy']],
      ['without-gardener', 'base', ['NetworkPolicy', 'VerticalPodAutoscaler']],
      ['seed-process-without-gardener', 'seed-process', ['VerticalPodAutoscaler']],
    ])(
      'of the component %s omits objects that its cluster does not support',
      async (component, of, kinds) => {
        const all = await kustomized(join(folder, `knative/${of}`))
        const left = await overlay({
          resources: [`../knative/${of}`],
          components: [`../knative/components/${component}`],
        })
        expect(left.map(({ kind }) => kind)).toEqual(
          all.map(({ kind }) => kind).filter(kind => !kinds.includes(kind)),
        )
        expect(JSON.stringify(left).includes('gardener-system-900')).toBe(component === 'without-oidc')
      },
    )
  },
)
