import * as z from 'zod'
import type { Clock } from '../../../shared/clock/clock.ts'
import type { Infrastructure } from '../../../shared/contract/schemas/infrastructure.ts'
import { type ExtensionFunction, extensionFunction } from '../../../shared/runtime/extension-function.ts'
import { hostSettings } from '../../../shared/runtime/host-settings.ts'
import type { AwsConnection } from '../../../terraform-free-infra/aws/aws.ts'
import { keepAliveHandler } from '../../../terraform-free-infra/aws/aws.ts'
import { infrastructureActuator } from './actuator.ts'
import { type InfrastructureSettings, infrastructureSettings } from './settings.ts'

/** The name of the Knative Service. */
export const name = 'aws-infrastructure'

/** Every setting of the process. */
export const settings = z.object({ ...hostSettings, ...infrastructureSettings.shape })

/** Infrastructures of type `aws`. */
export const create = (
  { waitScale }: InfrastructureSettings,
  {
    clock,
    connection = { requestHandler: keepAliveHandler() },
  }: {
    readonly clock: Clock
    /** How AWS is reached; absent: over the network, at the endpoints that the SDK finds. */
    readonly connection?: AwsConnection
  },
): ExtensionFunction =>
  extensionFunction<Infrastructure>({
    kind: 'Infrastructure',
    type: 'aws',
    ...infrastructureActuator({ connection, clock, waitScale }),
  })
