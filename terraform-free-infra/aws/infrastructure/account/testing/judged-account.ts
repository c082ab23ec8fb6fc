import {
  AllocateAddressCommand,
  AttachInternetGatewayCommand,
  CreateInternetGatewayCommand,
  CreateSubnetCommand,
  type CreateSubnetCommandInput,
  CreateVpcCommand,
  EC2Client,
  ModifyVpcAttributeCommand,
} from '@aws-sdk/client-ec2'
import { EFSClient } from '@aws-sdk/client-efs'
import { clientSettings as operatorSettings } from '../../../../../sandbox/providers/aws/simulator/testing/clients.ts'
import { shuffledAws } from '../../../../../sandbox/providers/aws/simulator/testing/shuffled-aws.ts'
import type { Timestamp } from '../../../../../shared/clock/clock.ts'
import { reader, type State } from '../../../../engine/engine.ts'
import { clientSettings } from '../../../account/client/client.ts'
import { sdkCloud } from '../../cloud.ts'
import { apiVersion, decodeConfig } from '../../config/config.ts'
import type { DesiredInfrastructure } from '../../desired-infrastructure.ts'
import { networkReads } from '../../network/reads.ts'
import { desiredOf } from '../../testing/converge.ts'
import { accountProblems } from '../account-problems.ts'

export const clusterName = 'shoot--foo--bar'
export const cluster = `kubernetes.io/cluster/${clusterName}`

/** An account with a VPC that meets all needs of a shoot, unless a test overrides them. */
export const judgedAccount = async ({ ipv6 = false, gateway = true, names = true } = {}) => {
  const aws = shuffledAws({ ec2: { durations: { scale: 0 } } })
  const ec2 = new EC2Client(operatorSettings(aws))
  const { Vpc } = await ec2.send(
    new CreateVpcCommand({ CidrBlock: '10.250.0.0/16', AmazonProvidedIpv6CidrBlock: ipv6 }),
  )
  const vpc = String(Vpc?.VpcId)
  if (names) {
    await ec2.send(new ModifyVpcAttributeCommand({ VpcId: vpc, EnableDnsHostnames: { Value: true } }))
  }
  if (gateway) {
    const { InternetGateway } = await ec2.send(new CreateInternetGatewayCommand({}))
    const InternetGatewayId = String(InternetGateway?.InternetGatewayId)
    await ec2.send(new AttachInternetGatewayCommand({ VpcId: vpc, InternetGatewayId }))
  }
  const subnet = async (cidr: string | undefined, more: Partial<CreateSubnetCommandInput> = {}) => {
    const range = cidr === undefined ? {} : { CidrBlock: cidr }
    const input = { VpcId: vpc, ...range, AvailabilityZone: 'eu-west-1a', ...more }
    return String((await ec2.send(new CreateSubnetCommand(input))).Subnet?.SubnetId)
  }
  const address = async () =>
    String((await ec2.send(new AllocateAddressCommand({ Domain: 'vpc' }))).AllocationId)
  const judge = async (
    networks: object,
    options: {
      ipv6?: boolean
      ipFamilies?: DesiredInfrastructure['ipFamilies']
      fileSystem?: DesiredInfrastructure['fileSystem']
      nodes?: string
      rest?: object
      missing?: boolean
      state?: State
      now?: Timestamp
    } = {},
  ) => {
    aws.calls.clear()
    const decoded = decodeConfig({
      apiVersion,
      kind: 'InfrastructureConfig',
      networks: { vpc: { id: vpc }, zones: [managed], ...networks },
      ...options.rest,
    })
    if (!decoded.ok) throw new Error(JSON.stringify(decoded.problems))
    const signal = new AbortController().signal
    const settings = clientSettings({ requestHandler: aws.requestHandler }, 'eu-west-1', {
      accessKeyId: 'AKIATEST',
      secretAccessKey: 'secret',
    })
    const throwIfExpired = () => {
      throw new Error('a validation writes nothing')
    }
    const cloud = sdkCloud(settings, { throwIfExpired, signal, secrets: [] })
    const { state = {}, ipv6 = false } = options
    const { id } = decoded.config.networks.vpc
    const { ipFamilies = ['IPv4'], fileSystem } = options
    const desired = desiredOf({
      clusterName,
      ipFamilies,
      fileSystem,
      ...(id !== undefined && { vpc: { kind: 'existing', id, ipv6 } }),
    })
    const problems = await accountProblems({
      cloud,
      signal,
      reads: networkReads(desired),
      read: reader({ cloud, state, signal }),
      state,
      now: options.now ?? 0,
      config: decoded.config,
      clusterName,
      desired,
      ipv6,
      nodes: options.nodes ?? '10.250.0.0/16',
      isMissing: () => options.missing ?? false,
    })
    return problems.map(({ path, message }) => `${path}: ${message}`)
  }
  const actions = () => aws.calls.all().map(({ action }) => action)
  const efs = new EFSClient(operatorSettings(aws))
  return { ec2, efs, vpc, subnet, address, judge, actions }
}

/** A zone whose subnets are created. */
export const managed = {
  name: 'eu-west-1a',
  workers: '10.250.0.0/19',
  internal: '10.250.112.0/22',
  public: '10.250.96.0/22',
}
