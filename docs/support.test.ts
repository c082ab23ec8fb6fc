import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { pinnedVersion } from '../test/contract/modules.ts'
import { supportedVersions } from '../test/real/programs/gardener-modules.ts'
import { earlier } from '../test/upgrades/versions.ts'

const read = (file: string): string => readFileSync(new URL(`../${file}`, import.meta.url), 'utf8')
const page = read('docs/support.md')

/** Returns the version of a module in a go.mod of the real programs. */
const versionIn = (file: string, module: string): string => {
  const found = new RegExp(`^\\t${module} (v\\S+)`, 'm').exec(read(`test/real/${file}/go.mod`))?.[1]
  if (found === undefined) throw new Error(`${file} has no ${module}`)
  return found
}

describe('the page on support', () => {
  test('names the versions of the programs that the real suites run', () => {
    expect(page).toContain(`kube-apiserver ${versionIn('kube', 'k8s.io/kubernetes')}`)
    expect(page).toContain(`etcd ${versionIn('kube', 'go.etcd.io/etcd/server/v3')}`)
    for (const module of ['eventing', 'serving'])
      expect(page).toContain(`| ${versionIn('knative/programs', `knative.dev/${module}`)}: all controllers`)
  })

  test('names the versions of Gardener that the suites use', () => {
    expect(page).toContain(`| ${supportedVersions.join(', ')}: each kind lives on their CRDs`)
    expect(page).toContain(`| ${pinnedVersion}: gardenlet's own code`)
  })

  test('shows how the data of a version is recorded, with a known version', () => {
    const name = /node test\/upgrades\/record\.ts (\S+)/.exec(page)?.[1]
    expect(earlier.map(version => version.name)).toContain(name)
  })
})
