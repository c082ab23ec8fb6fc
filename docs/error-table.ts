import type { ErrorCode } from '../shared/contract/constants.ts'
import { type CodeAdvice, codeAdvice } from '../shared/text/code-advice.ts'

/**
 * The consequence of an error, by a name that rows share. `stepEndings` has those of errors that an actuator throws in
 * a step; `errors.test.ts` triggers each.
 */
export const stepEndings = {
  backoff: 'reported as `Error` with its codes; requeued with backoff',
  requeue: 'reported as `Error`; requeued after its delay, and not counted as a failure',
  unreported: 'not reported in the status; requeued with backoff',
  superseded: 'the step writes nothing more; the event gets 204, and the owner of the claim continues',
  unrecorded: 'the step writes nothing more; the event gets 503 and is repeated',
} as const

export const stepEndingNames = Object.keys(stepEndings) as readonly (keyof typeof stepEndings)[]

export const endings = {
  ...stepEndings,
  continues: 'the step ends as `Processing` and continues after the delay',
  'aws call':
    'a throttled call is requeued after 30 s, as `RequeueAfterError` (Route 53: it continues when its turn comes); any other is reported with the codes of its text',
  'openstack call':
    'a throttled call is requeued after 30 s, as `RequeueAfterError`; any other is reported with the codes of its status and type',
  action: 'part of the `ApplyError`; independent actions continue',
  observe: 'the engine adopts the resource if it finds it; otherwise part of the `ApplyError`',
  defect: 'a bug: the step fails with backoff until it is fixed; `trellis plan` exits with 1',
  repeat:
    'the client retries where it is safe. Otherwise the step ends. The error is reported if the actuator made the call, and unreported for a write of the lifecycle; before the claim the event gets 503',
  relist: 'the reflector lists again',
  reconnect: 'the reflector opens its watch again; a streamed list is read in pages',
  'resend later': 'the bridge sends the event again, with backoff',
  unanswered: 'the bridge waits for the claim, and sends again without one',
  'resend now': 'the bridge sends the event again at once, once',
  400: 'the event gets 400 and is not repeated',
  'exit 2': 'the process prints the reason and exits with 2',
  'exit 1': 'the command prints the reason and exits with 1',
  review: 'the webhook answers with code 500; the `failurePolicy` of its registration decides',
  certificate: 'the webhook logs a warning and replaces the certificate once it leads',
} as const

export type Ending = keyof typeof endings

export interface ErrorRow {
  /** The cause. */
  readonly when: string
  readonly next: Ending
}

/** Every error class in product code outside of the sandbox, by name, and those of the sandbox that end a command. */
export const errorRows: Readonly<Record<string, ErrorRow>> = {
  CodedError: { when: 'a problem with one of Gardener’s codes', next: 'backoff' },
  RequeueAfterError: { when: 'it is too early, as after a throttled call', next: 'requeue' },
  StepContinuesError: { when: 'a copy of a referenced Secret is not current yet', next: 'continues' },
  StepExpiredError: { when: 'the claim of the step expired, or its process was paused', next: 'unrecorded' },
  ClaimLostError: { when: 'the object was recreated, or another step claimed it', next: 'superseded' },
  SecondaryWriteError: { when: 'a secondary function writes a field of the primary', next: 'defect' },
  StepTimeout: { when: 'the actuator exceeded the limit of a step', next: 'backoff' },
  UnreportedError: {
    when: 'a write of the lifecycle fails, or the Secret for a finalizer is missing',
    next: 'unreported',
  },
  KubernetesError: { when: 'the API server returns an error `Status`', next: 'repeat' },
  ConnectionError: { when: 'no or an incomplete answer of the API server', next: 'repeat' },
  UnhandledError: { when: 'a handler of the reflector threw', next: 'relist' },
  IdleStreamError: { when: 'a stream of the API server is silent for too long', next: 'reconnect' },
  MalformedEventError: { when: 'a request is not a CloudEvent of Trellis', next: 400 },
  PostTimeoutError: { when: 'the sink does not answer in time, but may have the event', next: 'unanswered' },
  ConnectTimeoutError: { when: 'the sink cannot be reached in time', next: 'resend later' },
  StaleConnectionError: { when: 'the sink had closed an idle connection', next: 'resend now' },
  SettingsError: { when: 'invalid settings', next: 'exit 2' },
  UnreachableError: {
    when: 'a command cannot reach the API server, or its credentials are refused',
    next: 'exit 2',
  },
  ShootUnknownError: { when: 'a review needs a shoot, and its namespace has no kubeconfig', next: 'review' },
  TimedOutError: { when: 'a review exceeded its time limit', next: 'review' },
  UnreadableCertificateError: {
    when: 'a Secret of the webhook has no usable certificate',
    next: 'certificate',
  },
  ProtocolError: { when: 'another version of Trellis cannot plan for a comparison', next: 'exit 2' },
  UsageError: { when: 'invalid arguments', next: 'exit 2' },
  YamlProblem: { when: 'a YAML text that kubectl would refuse, too', next: 'exit 2' },
  ValuesError: { when: 'an invalid value of the chart', next: 'exit 2' },
  BundleError: {
    when: 'the sources of a program cannot become one file: a package is missing or has a native module',
    next: 'exit 1',
  },
  RegistryError: { when: 'a registry of images refuses, or cannot be reached', next: 'exit 1' },
  RegistrationError: { when: 'Gardener would refuse a registration', next: 'exit 2' },
  FieldError: { when: 'an invalid field of a worker pool', next: 'backoff' },
  AwsError: { when: 'AWS refuses a call or is unreachable', next: 'aws call' },
  OpenStackError: { when: 'OpenStack refuses a call or is unreachable', next: 'openstack call' },
  AnswerError: {
    when: 'a proxy or endpoint answers instead of AWS, with a page or an empty body',
    next: 'aws call',
  },
  NotYetError: { when: 'the rate limit of Route 53 leaves no call for this step', next: 'continues' },
  BucketElsewhereError: {
    when: 'the bucket is in another region; a deletion succeeds if the object never owned it',
    next: 'backoff',
  },
  ForeignBucketError: {
    when: 'the bucket is in another account; a deletion succeeds if the object never owned it',
    next: 'backoff',
  },
  ActionError: { when: 'an action of a plan fails', next: 'action' },
  ActionTimeout: {
    when: 'a call of an action gets no answer in time; it may have succeeded',
    next: 'observe',
  },
  UnnamedThing: {
    when: 'a create response has no id; the create may have succeeded',
    next: 'observe',
  },
  ApplyError: {
    when: 'actions failed; it has the codes of all causes',
    next: 'backoff',
  },
  GraphError: { when: 'a graph has a dependency cycle, or a missing dependency', next: 'defect' },
  DefinitionError: {
    when: 'an invalid definition of a function or provider, with file and line',
    next: 'exit 1',
  },
  NotPermittedError: {
    when: 'an actuator’s call exceeds the permissions of its definition',
    next: 'defect',
  },
  AnswerTooLargeError: {
    when: 'the API server of a shoot, or of a user’s cluster, returns more than 8 MiB',
    next: 'backoff',
  },
  ProcessEndedError: {
    when: 'a function exits before it serves; in `trellis dev` its events wait',
    next: 'repeat',
  },
  ManifestError: { when: 'a manifest that the sandbox cannot use', next: 'exit 1' },
}

export interface CodeRow extends CodeAdvice {
  /** An AWS error text with this code. */
  readonly aws?: string
}

const awsTexts: Readonly<Partial<Record<ErrorCode, string>>> = {
  ERR_INFRA_UNAUTHENTICATED: 'AuthFailure',
  ERR_INFRA_UNAUTHORIZED: 'AccessDenied',
  ERR_INFRA_QUOTA_EXCEEDED: 'VpcLimitExceeded',
  ERR_INFRA_RATE_LIMITS_EXCEEDED: 'RequestLimitExceeded',
  ERR_INFRA_DEPENDENCIES: 'DependencyViolation',
  ERR_RETRYABLE_INFRA_DEPENDENCIES: 'RetryableError',
  ERR_INFRA_RESOURCES_DEPLETED: 'InsufficientInstanceCapacity',
  ERR_CONFIGURATION_PROBLEM: 'InvalidParameterValue',
  ERR_RETRYABLE_CONFIGURATION_PROBLEM: 'SDK.CanNotResolveEndpoint',
}

export const codeRows = Object.fromEntries(
  Object.entries(codeAdvice).map(([code, advice]) => {
    const aws = awsTexts[code as ErrorCode]
    return [code, { ...advice, ...(aws !== undefined && { aws }) }]
  }),
) as unknown as Readonly<Record<ErrorCode, CodeRow>>
