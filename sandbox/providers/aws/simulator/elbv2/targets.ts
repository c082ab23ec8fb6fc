import type {
  DeregisterTargetsInput,
  DescribeTargetHealthInput,
  DescribeTargetHealthOutput,
  RegisterTargetsInput,
  TargetDescription,
  TargetHealth,
} from '@aws-sdk/client-elastic-load-balancing-v2'
import type { Timestamp } from '../../../../../shared/clock/clock.ts'
import type { LoadBalancerDurations } from '../elb/settings.ts'
import { refuse } from '../service.ts'
import { balancersOf, type Elbv2Call, findTargetGroup } from './find.ts'
import type { Target, TargetGroup } from './state.ts'

const matches = ({ settings }: TargetGroup, target: Target, { Id, Port }: TargetDescription): boolean =>
  target.id === Id && target.port === (Port ?? settings.Port)

/** Removes the targets that are drained. */
const sweep = (group: TargetGroup, { targetDrained }: LoadBalancerDurations, now: Timestamp): void => {
  group.targets = group.targets.filter(
    ({ deregisteredAt }) => deregisteredAt === undefined || now < deregisteredAt + targetDrained,
  )
}

const checkTarget = ({ settings }: TargetGroup, { Id = '' }: TargetDescription): void => {
  const fits = {
    instance: /^i-[0-9a-f]{8,17}$/,
    ip: /^[0-9a-f.:]+$/i,
    lambda: /^arn:/,
    alb: /^arn:.*:loadbalancer\/app\//,
  }[settings.TargetType ?? 'instance']
  if (!fits.test(Id)) {
    const message =
      settings.TargetType === 'ip'
        ? `The IP address '${Id}' is not a valid IPv4 address`
        : `Instance ID '${Id}' is not valid`
    throw refuse('ValidationError', message, { status: 400 })
  }
}

export const registerTargets =
  (durations: LoadBalancerDurations) =>
  (input: RegisterTargetsInput, call: Elbv2Call): object => {
    const group = findTargetGroup(call, input.TargetGroupArn)
    const now = call.clock.now()
    sweep(group, durations, now)
    const wanted = input.Targets ?? []
    for (const target of wanted) checkTarget(group, target)
    const fresh = wanted.filter(
      ask =>
        !group.targets.some(target => target.deregisteredAt === undefined && matches(group, target, ask)),
    )
    const kept = group.targets.filter(target => !fresh.some(ask => matches(group, target, ask)))
    group.targets = [
      ...kept,
      ...fresh.map(
        ({ Id = '', Port, AvailabilityZone }): Target => ({
          id: Id,
          port: Port ?? group.settings.Port,
          zone: AvailabilityZone,
          registeredAt: now,
          deregisteredAt: undefined,
        }),
      ),
    ]
    return {}
  }

/** Targets drain before they are removed. */
export const deregisterTargets =
  (durations: LoadBalancerDurations) =>
  (input: DeregisterTargetsInput, call: Elbv2Call): object => {
    const group = findTargetGroup(call, input.TargetGroupArn)
    const now = call.clock.now()
    sweep(group, durations, now)
    const wanted = input.Targets ?? []
    group.targets = group.targets.map(target =>
      target.deregisteredAt === undefined && wanted.some(ask => matches(group, target, ask))
        ? { ...target, deregisteredAt: now }
        : target,
    )
    return {}
  }

const healthOf = (
  target: Target,
  used: boolean,
  durations: LoadBalancerDurations,
  now: Timestamp,
): TargetHealth => {
  if (target.deregisteredAt !== undefined) {
    return {
      State: 'draining',
      Reason: 'Target.DeregistrationInProgress',
      Description: 'Target deregistration is in progress',
    }
  }
  if (!used) {
    return {
      State: 'unused',
      Reason: 'Target.NotInUse',
      Description: 'Target group is not configured to receive traffic from the load balancer',
    }
  }
  if (now >= target.registeredAt + durations.targetHealthy) return { State: 'healthy' }
  return {
    State: 'initial',
    Reason: 'Elb.RegistrationInProgress',
    Description: 'Target registration is in progress',
  }
}

export const describeTargetHealth =
  (durations: LoadBalancerDurations) =>
  (input: DescribeTargetHealthInput, call: Elbv2Call): DescribeTargetHealthOutput => {
    const group = findTargetGroup(call, input.TargetGroupArn)
    const now = call.clock.now()
    sweep(group, durations, now)
    const used = balancersOf(call, group).length > 0
    const wanted = input.Targets
    const found = wanted
      ? group.targets.filter(target => wanted.some(ask => matches(group, target, ask)))
      : group.targets
    return {
      TargetHealthDescriptions: found.map(target => ({
        Target: {
          Id: target.id,
          ...(target.port === undefined ? {} : { Port: target.port }),
          ...(target.zone === undefined ? {} : { AvailabilityZone: target.zone }),
        },
        ...(target.port === undefined ? {} : { HealthCheckPort: String(target.port) }),
        TargetHealth: healthOf(target, used, durations, now),
      })),
    }
  }
