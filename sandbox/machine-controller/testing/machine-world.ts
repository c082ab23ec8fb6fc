import { DescribeInstancesCommand } from '@aws-sdk/client-ec2'
import { virtualClock } from '../../../shared/clock/clock.ts'
import { machineApiVersion } from '../../../shared/contract/constants.ts'
import { machineCrds } from '../../../shared/contract/crds/crd-of.ts'
import { type MachineKindName, machineKinds } from '../../../shared/contract/machine-kinds.ts'
import type { Machine, MachineDeployment, MachineSet } from '../../../shared/contract/objects.ts'
import { secrets } from '../../../shared/kubernetes/core-resources.ts'
import { createKubernetes, type KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import type { Log } from '../../../shared/log/log.ts'
import { createApiServer } from '../../kubernetes/kubernetes.ts'
import { addImage, createAws, simulatedAws } from '../../providers/aws/simulator/aws.ts'
import { ec2ClientOf, newGroup, newNetwork } from '../../providers/aws/simulator/ec2/testing/network.ts'
import { nodeFaultAnnotation, startMachineController } from '../machine-controller.ts'
import { stepsOf, type Timeline, withoutNames } from './read-timelines.ts'

export const namespace = 'shoot--foo--minimal'
export const deploymentName = `${namespace}-a-z1`
export const seconds = 1_000
export const minutes = 60 * seconds

const image = 'ami-0aaaaaaaaaaaaaaa1'
export const controllers = { group: 'apps', version: 'v1', plural: 'deployments', namespaced: true } as const

const base64 = (text: string) => Buffer.from(text).toString('base64')

/** A test's change of a class. The other values are those of a small pool. */
export type ClassChange = (providerSpec: object) => object

/** Distinguishes the requests of the machine controller from those of a test. */
const userAgent = 'machine-controller'

/** A line of a timeline: `Pending | Create | Processing | Creating machine on cloud provider`. */
export interface TimelineLine {
  readonly at: number
  readonly machine: string
  readonly text: string
}

/** A shoot's control plane with a machine controller, with real durations on a virtual clock. */
export const machineWorld = async ({ vcpus }: { readonly vcpus?: number } = {}) => {
  const clock = virtualClock(Date.parse('2026-01-01T00:00:00Z'))
  const aws = simulatedAws(
    createAws({ clock, ec2: { durations: { scale: 1 }, limits: vcpus === undefined ? {} : { vcpus } } }),
  )
  addImage(aws.account(), 'eu-west-1', {
    id: image,
    name: 'gardenlinux',
    architecture: 'x86_64',
    rootDeviceName: '/dev/xvda',
    rootSize: 8,
  })
  const ec2 = ec2ClientOf(aws)
  const { vpcId, subnetId } = await newNetwork(ec2)
  const groupId = await newGroup(ec2, vpcId)
  const server = createApiServer({
    clock,
    objects: [...machineCrds(), { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } }],
  })
  const kubernetes = createKubernetes({ transport: server.transport, clock })
  await kubernetes.create(secrets, {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'cloudprovider', namespace },
    data: { accessKeyID: base64('AKIAMACHINES'), secretAccessKey: base64('secret') },
  })

  const timeline: TimelineLine[] = []
  const began = clock.now()
  const unsubscribe = server.store.subscribe((resource, { type, entry }) => {
    if (resource !== 'machines.machine.sapcloud.io') return
    const { metadata, status } = entry.object as Machine
    const { phase } = status?.currentStatus ?? {}
    const { type: operation, state, errorCode, description } = status?.lastOperation ?? {}
    const text =
      type === 'DELETED'
        ? 'GONE'
        : [phase, operation, state, errorCode, description].filter(part => part !== undefined).join(' | ')
    const machine = metadata.name
    if (text === '' || timeline.findLast(line => line.machine === machine)?.text === text) return
    timeline.push({ at: clock.now() - began, machine, text })
  })

  let ended = new AbortController()
  const warnings: object[] = []
  const log: Log = {
    debug: () => {},
    info: () => {},
    warn: (message, fields) => warnings.push({ message, ...fields }),
    error: (message, fields) => warnings.push({ message, ...fields }),
  }
  const start = () =>
    startMachineController({
      kubernetes: createKubernetes({
        transport: request =>
          server.transport({ ...request, headers: { ...request.headers, 'user-agent': userAgent } }),
        clock,
      }),
      clouds: [aws.machines?.(1)].filter(cloud => cloud !== undefined),
      clock,
      log,
      scale: 1,
      signal: ended.signal,
    })
  let controller = start()

  const listOf = async <T extends KubernetesObject>(kind: MachineKindName): Promise<readonly T[]> =>
    (await kubernetes.list(machineKinds[kind].resource, { namespace })).items as readonly T[]

  const newClass = async (name: string, change: ClassChange = spec => spec) => {
    await kubernetes.create(secrets, {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name, namespace, labels: { 'gardener.cloud/purpose': 'machineclass' } },
      data: { userData: base64('#!/bin/bash') },
    })
    await kubernetes.create(machineKinds.MachineClass.resource, {
      apiVersion: machineApiVersion,
      kind: 'MachineClass',
      metadata: { name, namespace },
      provider: 'AWS',
      secretRef: { name, namespace },
      credentialsSecretRef: { name: 'cloudprovider', namespace },
      providerSpec: change({
        ami: image,
        region: 'eu-west-1',
        machineType: 'm5.large',
        srcAndDstChecksEnabled: false,
        tags: { [`kubernetes.io/cluster/${namespace}`]: '1', 'kubernetes.io/role/node': '1' },
        networkInterfaces: [{ subnetID: subnetId, securityGroupIDs: [groupId] }],
        blockDevices: [{ ebs: { volumeSize: 50, volumeType: 'gp3', encrypted: true } }],
      }),
    })
  }

  const templateOf = (className: string, spec: object = {}) => ({
    metadata: { labels: { name: deploymentName } },
    spec: { class: { kind: 'MachineClass', name: className }, nodeTemplate: { spec: {} }, ...spec },
  })

  /** Creates a deployment with its own class. */
  const deploy = async (
    replicas: number,
    options: { readonly change?: ClassChange; readonly spec?: object; readonly strategy?: object } = {},
  ) => {
    const { change, spec, strategy = { maxSurge: 1, maxUnavailable: 0 } } = options
    await newClass(`${deploymentName}-25e07`, change)
    await kubernetes.create(machineKinds.MachineDeployment.resource, {
      apiVersion: machineApiVersion,
      kind: 'MachineDeployment',
      metadata: { name: deploymentName, namespace },
      spec: {
        replicas,
        minReadySeconds: 500,
        revisionHistoryLimit: 0,
        selector: { matchLabels: { name: deploymentName } },
        strategy: { type: 'RollingUpdate', rollingUpdate: strategy },
        template: templateOf(`${deploymentName}-25e07`, spec),
      },
    })
  }

  /** Advances the clock by the duration, and then until no work is in progress. */
  const pass = async (milliseconds: number) => {
    for (let left = milliseconds; left > 0; left -= seconds) await clock.advance(Math.min(seconds, left))
  }

  const key = { name: deploymentName, namespace }
  const world = {
    aws,
    clock,
    ec2,
    server,
    kubernetes,
    timeline,
    warnings,
    image,
    subnetId,
    deploy,
    newClass,
    templateOf,
    pass,
    nodes: () => controller.nodes(namespace),
    machines: () => listOf<Machine>('Machine'),
    sets: () => listOf<MachineSet>('MachineSet'),
    classes: () => listOf<KubernetesObject>('MachineClass'),
    deployment: async () =>
      (await kubernetes.get(machineKinds.MachineDeployment.resource, key)) as MachineDeployment | undefined,
    secret: (name: string) => kubernetes.get(secrets, { name, namespace }),
    patchDeployment: (patch: object) => kubernetes.patch(machineKinds.MachineDeployment.resource, key, patch),
    /**
     * Adds a fault for requests of the machine controller, not for those of the test. Returns a function that removes
     * it.
     */
    addServerFault: ({ matches = () => true, ...fault }: Parameters<typeof server.faults.add>[0]) =>
      server.faults.add({
        ...fault,
        matches: request => request.headers['user-agent'] === userAgent && matches(request),
      }),
    deployFault: (fault: string | null) =>
      kubernetes.patch(machineKinds.MachineDeployment.resource, key, {
        metadata: { annotations: { [nodeFaultAnnotation]: fault } },
      }),
    deleteDeployment: () => kubernetes.delete(machineKinds.MachineDeployment.resource, key),
    patchClass: (patch: object) =>
      kubernetes.patch(
        machineKinds.MachineClass.resource,
        { name: `${deploymentName}-25e07`, namespace },
        patch,
      ),
    deleteMachine: (name: string) => kubernetes.delete(machineKinds.Machine.resource, { name, namespace }),
    deleteClass: (name: string) => kubernetes.delete(machineKinds.MachineClass.resource, { name, namespace }),
    deleteSecret: (name: string) => kubernetes.delete(secrets, { name, namespace }),
    nodeFault: (machine: string, fault: string | null) =>
      kubernetes.patch(
        machineKinds.Machine.resource,
        { name: machine, namespace },
        { metadata: { annotations: { [nodeFaultAnnotation]: fault } } },
      ),
    label: (machine: string, labels: object) =>
      kubernetes.patch(machineKinds.Machine.resource, { name: machine, namespace }, { metadata: { labels } }),
    /** Returns the ids of the instances that are not terminated. */
    instances: async () => {
      const { Reservations = [] } = await ec2.send(new DescribeInstancesCommand({}))
      return Reservations.flatMap(({ Instances = [] }) => Instances)
        .filter(({ State }) => State?.Name === 'pending' || State?.Name === 'running')
        .map(({ InstanceId = '' }) => InstanceId)
    },
    calls: () =>
      aws.calls
        .all()
        .filter(({ accessKeyId }) => accessKeyId === 'AKIAMACHINES')
        .map(({ action }) => action),
    /** Returns the steps of each Machine in order. */
    steps: (): Timeline => {
      const names = [...new Set(timeline.map(({ machine }) => machine))]
      const textsOf = (name: string) =>
        timeline.filter(({ machine }) => machine === name).map(({ text }) => withoutNames(text, name))
      return names.map(name => stepsOf(textsOf(name)))
    },
    /** Replaces the running machine controller. None runs during `meanwhile`. */
    restart: async (meanwhile: () => Promise<unknown> = async () => {}) => {
      ended.abort()
      await controller.ended()
      await meanwhile()
      ended = new AbortController()
      controller = start()
    },
    close: async () => {
      ended.abort()
      unsubscribe()
      server.close()
      await controller.ended()
    },
  }
  return world
}

export type MachineWorld = Awaited<ReturnType<typeof machineWorld>>
