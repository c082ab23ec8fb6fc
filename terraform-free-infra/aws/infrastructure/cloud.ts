import { EC2Client } from '@aws-sdk/client-ec2'
import { EFSClient } from '@aws-sdk/client-efs'
import { ElasticLoadBalancingClient } from '@aws-sdk/client-elastic-load-balancing'
import { ElasticLoadBalancingV2Client } from '@aws-sdk/client-elastic-load-balancing-v2'
import { IAMClient } from '@aws-sdk/client-iam'
import type { Pluggable } from '@smithy/types'
import { type ClientSettings, type WithStack, withRules } from '../account/client/client.ts'
import { isRead } from '../account/client/is-read.ts'
import { noteUnanswered } from '../account/client/unanswered.ts'
import { AwsError } from '../account/errors/aws-error.ts'
import { stepError } from '../account/errors/step-error.ts'

/**
 * The AWS clients for the infrastructure of a shoot, with one set of credentials in one region. `send` throws an
 * `AwsError` or an error that defines the next action. Pass the signal of the call as `abortSignal`.
 */
export interface AwsCloud {
  readonly region: string
  readonly ec2: Pick<EC2Client, 'send'>
  readonly iam: Pick<IAMClient, 'send'>
  readonly efs: Pick<EFSClient, 'send'>
  readonly elb: Pick<ElasticLoadBalancingClient, 'send'>
  readonly elbv2: Pick<ElasticLoadBalancingV2Client, 'send'>
}

export interface SdkCloudOptions {
  /** Called before each attempt of a change. */
  readonly throwIfExpired: () => void
  readonly signal: AbortSignal
  /** Secret values that no error may contain. */
  readonly secrets: readonly string[]
}

/** Implements AWS with the SDK, for one step. Errors are those of `stepError` and name the operation. */
export const sdkCloud = (settings: ClientSettings, options: SdkCloudOptions): AwsCloud => {
  const ruled = <Client extends WithStack>(client: Client): Client => {
    withRules(client, settings, options.throwIfExpired)
    client.middlewareStack.use(refuseEmptyAnswers)
    client.middlewareStack.use(noteUnanswered())
    client.middlewareStack.use(stepErrors(options))
    return client
  }
  return {
    region: settings.region,
    ec2: ruled(new EC2Client(settings)),
    iam: ruled(new IAMClient(settings)),
    efs: ruled(new EFSClient(settings)),
    elb: ruled(new ElasticLoadBalancingClient(settings)),
    elbv2: ruled(new ElasticLoadBalancingV2Client(settings)),
  }
}

/**
 * Fails a successful read without content. AWS always includes its lists, even if they are empty. Otherwise a proxy's
 * page or an empty body would mean that no resource exists.
 */
const refuseEmptyAnswers: Pluggable<object, object> = {
  applyToStack: stack => {
    stack.add(
      (next, context) => async args => {
        const answer = await next(args)
        const says = Object.entries(answer.output).some(
          ([key, value]) => key !== '$metadata' && value !== undefined,
        )
        if (says || !isRead(context.commandName)) return answer
        const said = 'an empty response with HTTP status 200, which may be from a proxy'
        throw new AwsError(nameOf(context.commandName), {
          code: '',
          status: undefined,
          said,
          origin: 'client',
        })
      },
      { step: 'initialize', priority: 'low', name: 'trellisRefuseEmptyAnswers', override: true },
    )
  },
}

/** Returns the name of an SDK command class without its suffix: `CreateVpcCommand` becomes `CreateVpc`. */
const nameOf = (command: unknown): string => String(command).replace(/Command$/, '')

const stepErrors = ({ signal, secrets }: SdkCloudOptions): Pluggable<object, object> => ({
  applyToStack: stack => {
    stack.add(
      (next, context) => async args => {
        try {
          return await next(args)
        } catch (error) {
          throw stepError(error, { doing: nameOf(context.commandName), signal, secrets })
        }
      },
      // Before all other middleware, so that it handles errors after the retries.
      { step: 'initialize', priority: 'high', name: 'trellisStepErrors', override: true },
    )
  },
})
