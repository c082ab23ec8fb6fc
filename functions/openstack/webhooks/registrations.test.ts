import { expect, test } from 'vitest'
import { registrations } from '../../../shared/webhooks/admission/admission.ts'
import { definition as mutator } from './mutator/webhook.ts'
import { definition as secretsValidator } from './secrets-validator/webhook.ts'
import { definition as validator } from './validator/webhook.ts'

test('admission is registered for the same objects as by the Go extension', () => {
  const rules = [mutator, validator, secretsValidator].flatMap(({ name, resources, objectSelector }) =>
    resources.map(({ group, versions, plural }) => ({
      object: `${name} ${group}/${versions.join()} ${plural}`,
      label: Object.keys(objectSelector?.matchLabels ?? {}).join(),
    })),
  )
  const label = 'provider.extensions.gardener.cloud/openstack'
  const core = (name: string, versions: string, ...plurals: readonly string[]) =>
    plurals.map(plural => ({ object: `${name} core.gardener.cloud/${versions} ${plural}`, label }))
  expect(rules).toEqual([
    ...core(
      'mutator',
      'v1beta1',
      'shoots',
      'cloudprofiles',
      'namespacedcloudprofiles',
      'namespacedcloudprofiles/status',
    ),
    ...core(
      'validator',
      '*',
      'shoots',
      'cloudprofiles',
      'namespacedcloudprofiles',
      'secretbindings',
      'seeds',
      'backupbuckets',
    ),
    { object: 'validator security.gardener.cloud/* credentialsbindings', label },
    { object: 'secrets.validator /v1 secrets', label: 'provider.shoot.gardener.cloud/openstack' },
  ])
  const { configurations } = {
    configurations: registrations([mutator, validator, secretsValidator], {
      namespace: 'garden',
      caBundleOf: () => 'ca',
    }),
  }
  expect([...new Set(configurations.map(({ metadata }) => metadata.name))]).toEqual([
    'gardener-extension-admission-openstack',
  ])
})
