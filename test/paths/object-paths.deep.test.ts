import { expect, test } from 'vitest'
import { exampleObjects, filesOfEvents } from './function-process.ts'
import { without } from './without.ts'

/** Sends the first object of a kind in an example to its function. */
const filesOfExample = async (name: string, kind: string, file: string) => {
  const [ran] = await filesOfEvents(name, async ({ create, send }) => {
    const objects = await exampleObjects(file)
    for (const object of objects.filter(one => one.kind !== kind)) await create(object)
    const object = objects.find(one => one.kind === kind)
    if (object === undefined) throw new Error(`${file} has no ${kind}`)
    await send(await create(object))
  })
  if (ran === undefined) throw new Error('the function reported no event')
  return ran
}

const expectAtMost = (most: number, path: readonly string[]) =>
  expect(path.length, `these files ran:\n${path.join('\n')}\n`).toBeLessThanOrEqual(most)

test('a reader who follows a subnet of an Infrastructure opens at most 31 files', async () => {
  const ran = await filesOfExample('aws-infrastructure', 'Infrastructure', 'infrastructure/one-zone.yaml')
  const infrastructure = 'terraform-free-infra/aws/infrastructure'
  const path = without(ran, [
    // Reference: errors, formats and ranges of AWS.
    'terraform-free-infra/aws/account/',
    // The checks before the first call, and their lists of problems.
    `${infrastructure}/account/`,
    `${infrastructure}/config/`,
    'shared/lists/',
    // Other resources.
    `${infrastructure}/identity/`,
    `${infrastructure}/network/egress/`,
    `${infrastructure}/network/nodes-group/`,
    `${infrastructure}/network/vpc/`,
    `${infrastructure}/own-subnets/`,
    `${infrastructure}/storage/`,
  ])
  expect(path).toContain(`${infrastructure}/network/subnets/subnet.ts`)
  // With the memory of recent changes, the blocks of addresses and the reads by id (docs/decisions/0103).
  expectAtMost(31, path)
})

test('a reader who follows a MachineClass of a Worker opens at most 27 files', async () => {
  const ran = await filesOfExample('aws-worker', 'Worker', 'worker/two-pools.yaml')
  const path = without(ran, [
    // Reference: the formats of provider configs.
    'terraform-free-infra/aws/account/config/',
    // The checks of a pool.
    'functions/aws/worker/machines/validation/',
    // Objects before the machines, of which AWS has none.
    'shared/worker/flow/dependencies.ts',
    // MachineDeployments and their machines.
    'shared/worker/desired/desired-replicas.ts',
    'shared/worker/flow/await-machines.ts',
    'shared/worker/flow/write-deployments.ts',
    'shared/worker/objects/deployment-object.ts',
    'shared/worker/waits/deployments-available.ts',
    'shared/worker/waits/failed-machines.ts',
    'shared/worker/waits/owned.ts',
    // The waits after the write, and the removal of objects that no pool needs.
    'shared/worker/flow/make-deletable.ts',
    'shared/worker/flow/remove-unwanted.ts',
    'shared/worker/flow/wait.ts',
  ])
  expect(path).toContain('functions/aws/worker/machines/machine-class/class-content.ts')
  // With the choice of images and the node template, which every cloud shares.
  expectAtMost(27, path)
})

test('a reader who follows the Deployment of the cloud-controller-manager opens at most 23 files', async () => {
  const ran = await filesOfExample('aws-controlplane', 'ControlPlane', 'controlplane/one-zone.yaml')
  const own = 'functions/aws/controlplane'
  const shared = 'shared/control-plane/components'
  const path = without(ran, [
    // Reference: the formats of provider configs.
    'terraform-free-infra/aws/account/config/',
    // Other components.
    `${shared}/calico/`,
    `${shared}/driver-controller.ts`,
    `${shared}/snapshots/`,
    `${own}/crds/`,
    `${own}/csi/`,
    `${own}/efs/`,
    `${own}/load-balancer-controller/`,
    `${own}/load-balancer-condition.ts`,
    `${own}/node-controllers/`,
    // Other objects of the component: its ConfigMap, Service, alerts, roles, certificates and tokens.
    `${own}/cloud-controller/cloud-provider-config.ts`,
    `${shared}/leader-roles.ts`,
    `${shared}/monitoring.ts`,
    `${shared}/node-driver.ts`,
    `${shared}/services.ts`,
    `${own}/secrets.ts`,
    'shared/manifests/',
    'shared/secrets-manager/',
    'shared/shoot/',
  ])
  expect(path).toContain(`${own}/cloud-controller/cloud-controller.ts`)
  // With the parts that every cloud shares: Deployment, volumes, workload, facts of the shoot.
  expectAtMost(23, path)
})

test('a reader who follows an OperatingSystemConfig of Garden Linux opens at most 13 files', async () => {
  const name = 'gardenlinux-operatingsystemconfig'
  const ran = await filesOfExample(name, 'OperatingSystemConfig', 'operatingsystemconfig/gardenlinux.yaml')
  const path = without(ran, [])
  expect(path).toContain('functions/gardenlinux/operatingsystemconfig/garden-linux.ts')
  expectAtMost(13, path)
})
