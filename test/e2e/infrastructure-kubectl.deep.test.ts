import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type KubeconfigFile, writeKubeconfig } from '../../cli/sandbox/kubeconfig-file.ts'
import { type Sandbox, startSandbox } from '../../cli/sandbox/start-sandbox.ts'
import { accountContents } from '../../functions/aws/infrastructure/testing/account-contents.ts'
import { provider } from '../../sandbox/providers/aws/provider.ts'
import type { AwsConnection } from '../../terraform-free-infra/aws/account/aws.ts'
import { kubectlFile, runKubectl, withKubectl } from './kubectl.ts'

describe.skipIf(kubectlFile === undefined)(withKubectl, () => {
  let sandbox: Sandbox
  let kubeconfig: KubeconfigFile
  let before: Awaited<ReturnType<typeof accountContents>>
  beforeAll(async () => {
    sandbox = await startSandbox({ providers: [provider], idleMs: 30_000, observe: () => {} })
    kubeconfig = await writeKubeconfig(sandbox.kubeconfig, undefined)
    before = await contents()
  })
  afterAll(async () => {
    await kubeconfig.remove()
    await sandbox.close()
  })

  const contents = () => {
    const { connection } = sandbox.clouds.aws ?? {}
    return accountContents((connection as AwsConnection).requestHandler)
  }
  const kubectl = (...args: readonly string[]) => runKubectl(kubeconfig.path, ...args)
  const namespace = '--namespace=shoot--garden--one-zone'

  test('an example becomes an infrastructure, as the output of the sandbox suggests', async () => {
    await kubectl('apply', '--filename=examples/infrastructure/one-zone.yaml')
    const succeeded = '--for=jsonpath={.status.lastOperation.state}=Succeeded'
    await kubectl('wait', namespace, succeeded, '--timeout=30s', 'infrastructure/one-zone')
    const made = await contents()
    expect(made).not.toEqual(before)
    const vpc = await kubectl(
      'get',
      namespace,
      'infra',
      'one-zone',
      '-o=jsonpath={.status.providerStatus.vpc.id}',
    )
    expect(JSON.stringify(made)).toContain(vpc)
  })

  test('kubectl get shows the columns of the kind', async () => {
    const table = (await kubectl('get', 'infra', '--all-namespaces')).trim().split('\n')
    expect(table.map(line => line.split(/\s+/).slice(0, 5))).toEqual([
      ['NAMESPACE', 'NAME', 'TYPE', 'REGION', 'STATUS'],
      ['shoot--garden--one-zone', 'one-zone', 'aws', 'eu-west-1', 'Succeeded'],
    ])
  })

  test('a deletion first needs a confirmation, and leaves nothing in AWS', async () => {
    const deletion = ['delete', namespace, 'infra', 'one-zone', '--timeout=30s'] as const
    await expect(kubectl(...deletion)).rejects.toThrow('confirmation.gardener.cloud/deletion')
    await kubectl('annotate', namespace, 'infra', 'one-zone', 'confirmation.gardener.cloud/deletion=true')
    await kubectl(...deletion)
    expect(await contents()).toEqual(before)
  })
})
