import type { ErrorCode } from '../shared/contract/constants.ts'

/**
 * The consequence of an error, by a name that rows share. `stepEndings` has those of errors that an actuator throws in
 * a step; `errors.test.ts` triggers each.
 */
export const stepEndings = {
  backoff: 'shown as `Error` in the status, with its codes; the step is due again with backoff',
  requeue:
    'shown as `Error` in the status; the step is due again after exactly its delay, and nothing counts as a failure',
  unreported: 'not shown in the status; the step is due again with backoff',
  superseded: 'nothing more is written, the event is answered 204: whoever has the object goes on',
  unrecorded:
    'nothing more is written, the event is answered 503 and comes again; the claim runs out by itself',
} as const

export const endings = {
  ...stepEndings,
  continues: 'caught by the actuator: the step ends as `Processing` and is due after the delay',
  'aws call':
    'a throttled call is due again after 30 s as a `RequeueAfterError`; any other ends the step with the codes of its text, with backoff',
  action: 'part of the `ApplyError` that the apply ends with; other branches of the plan go on',
  observe:
    'the engine reads what is there and takes it if it is what was asked for; else part of the `ApplyError`',
  defect:
    'a defect of the code: the step fails with backoff until it is mended, `trellis plan` ends with exit code 1',
  repeat:
    'the client repeats what may be repeated; what is left ends the step: thrown by an actuator with backoff, at a write of the lifecycle unreported, before the claim unrecorded',
  relist: 'the reflector lists again and gives every object to its handler',
  reconnect: 'the reflector opens its watch again; a streamed list is read in pages instead',
  'resend later': 'the bridge sends the event again, with backoff',
  unanswered: 'the bridge waits for the claim in the object, and sends again when none comes',
  'resend now': 'sent again at once, once',
  400: 'the event is answered 400, and a broker does not repeat it (under the functions framework: 500)',
  500: 'the functions framework answers 500, and the broker repeats the event',
  'exit 2': 'the process says it in one line and ends with exit code 2',
  'exit 1': 'the command says it in one line and ends with exit code 1',
  'aws answer': 'the simulator answers with the code and the status that AWS has for it',
  machine:
    'the sandbox’s machine controller writes it into the status of the Machine and tries again: after 10 minutes with `ResourceExhausted`, else after 3',
  'not built':
    'the simulator answers with an error of the service and remembers the call; a test that made it fails',
  'admin answer': 'the admin endpoint answers 400; at the start of `trellis aws`, exit code 2',
  'status answer': 'the API server of the sandbox answers with the Kubernetes `Status`',
  disconnect: 'the connection is closed without an answer',
  review:
    'the webhook answers the review with code 500; the `failurePolicy` of its registration decides about the request',
  certificate: 'the webhook logs a warning and replaces the certificate once it leads',
  'asked about': 'the API server of the sandbox asks the webhook, and makes the request again',
} as const

export type Ending = keyof typeof endings

export interface ErrorRow {
  /** The cause. */
  readonly when: string
  readonly next: Ending
}

/** Every error class in product code, by name. */
export const errorRows: Readonly<Record<string, ErrorRow>> = {
  CodedError: { when: 'an actuator knows what Gardener has to be told', next: 'backoff' },
  RequeueAfterError: { when: 'it is not the time yet, as after a throttled call', next: 'requeue' },
  StepExpiredError: { when: 'the claim of the step ran out, or its process slept', next: 'unrecorded' },
  ClaimLostError: { when: 'the object is another one by now, or another step has it', next: 'superseded' },
  StepTimeout: { when: 'the actuator took longer than a step may', next: 'backoff' },
  UnreportedError: {
    when: 'a write of the lifecycle itself fails, or the Secret that needs a finalizer is missing',
    next: 'unreported',
  },
  KubernetesError: { when: 'the API server answers with a `Status` that is no success', next: 'repeat' },
  ConnectionError: { when: 'no or no whole answer of the API server', next: 'repeat' },
  UnhandledError: { when: 'a handler of the reflector threw at objects', next: 'relist' },
  IdleStreamError: { when: 'a stream of the API server says nothing for too long', next: 'reconnect' },
  MalformedEventError: { when: 'a request is no CloudEvent, or none of this system', next: 400 },
  EventNotHandledError: { when: 'under the functions framework an event is not recorded', next: 500 },
  PostTimeoutError: { when: 'the sink does not answer in time; it may have the event', next: 'unanswered' },
  ConnectTimeoutError: { when: 'the sink cannot be reached in time', next: 'resend later' },
  StaleConnectionError: { when: 'a kept connection had been closed by the sink', next: 'resend now' },
  SettingsError: { when: 'settings of a process cannot be used', next: 'exit 2' },
  UnreachableError: {
    when: 'the API server of a seed that is checked cannot be asked, or does not accept the credentials',
    next: 'exit 1',
  },
  ShootUnknownError: { when: 'a review needs a shoot and its namespace has no kubeconfig', next: 'review' },
  TimedOutError: { when: 'a review takes longer than the API server waits', next: 'review' },
  UnreadableCertificateError: {
    when: 'a Secret of the webhook holds no usable certificate',
    next: 'certificate',
  },
  UsageError: { when: 'a command is asked for in the wrong way', next: 'exit 2' },
  ValuesError: { when: 'a value is none that the chart takes', next: 'exit 2' },
  RegistrationError: { when: 'Gardener would refuse a registration', next: 'exit 2' },
  FieldError: { when: 'a field of a worker pool cannot be worked with', next: 'backoff' },
  AwsError: { when: 'AWS refuses a call, or cannot be reached', next: 'aws call' },
  AnswerError: {
    when: 'a proxy or an endpoint answers in place of AWS, with a page or an empty body',
    next: 'aws call',
  },
  NotYetError: { when: 'the rate limit of Route 53 has no calls left within the step', next: 'continues' },
  BucketElsewhereError: {
    when: 'the bucket of an object is in another region. A deletion deletes nothing, and succeeds only if the object never had its bucket',
    next: 'backoff',
  },
  ForeignBucketError: {
    when: 'the bucket of an object belongs to another account. A deletion deletes nothing, and succeeds only if the object never had its bucket',
    next: 'backoff',
  },
  ActionError: { when: 'an action of a plan fails', next: 'action' },
  ActionTimeout: {
    when: 'a call of an action is not answered in its time; it may have happened',
    next: 'observe',
  },
  UnnamedThing: {
    when: 'a create response has no id, and may be from a proxy. The create may have happened',
    next: 'observe',
  },
  ApplyError: {
    when: 'actions of an apply have failed; its codes are those of all their causes',
    next: 'backoff',
  },
  GraphError: { when: 'a graph of resources has a circle, or needs what it has not', next: 'defect' },
  ServiceError: { when: 'the AWS simulator refuses a call as AWS does', next: 'aws answer' },
  NotBuilt: { when: 'a call asks for what AWS has and the simulator has not', next: 'not built' },
  MalformedRequest: { when: 'a request to the AWS simulator cannot be read', next: 'aws answer' },
  DroppedConnection: {
    when: 'a fault that was ordered cuts a call to the AWS simulator',
    next: 'disconnect',
  },
  MachineCloudError: { when: 'the cloud refuses a machine of the sandbox, or fails', next: 'machine' },
  SnapshotError: { when: 'what is given as a snapshot of an account is none', next: 'admin answer' },
  BadOrder: {
    when: 'an order to the admin endpoint of the AWS simulator cannot be done',
    next: 'admin answer',
  },
  ApiError: { when: 'the API server of the sandbox refuses a request', next: 'status answer' },
  UndecodableError: { when: 'a body is not what its content type says', next: 'status answer' },
  Disconnect: { when: 'a fault that was ordered cuts a request to the API server', next: 'disconnect' },
  ReviewNeeded: {
    when: 'a request has to be reviewed by a webhook before it is stored',
    next: 'asked about',
  },
  DefinitionError: {
    when: 'the definition of a function, or a provider, cannot be used: each line has its file and line',
    next: 'exit 1',
  },
  NotPermittedError: {
    when: 'an actuator calls the API server for what the permissions of its definition do not name',
    next: 'defect',
  },
  AnswerTooLargeError: {
    when: 'the API server of a shoot, or of a cluster that a user names, answers with more than 8 MiB',
    next: 'backoff',
  },
  ProcessEndedError: {
    when: 'the process of a function ends before it serves: its first lines are told, and events wait in `trellis dev`',
    next: 'repeat',
  },
  ManifestError: { when: 'a manifest is not one that the sandbox can use', next: 'exit 1' },
}

export interface CodeRow {
  /** Its cause; `aws`: an AWS error text with this code. */
  readonly when: string
  readonly aws?: string
  /** True if gardenlet sets the shoot to `Failed` at once (docs/contract/lifecycle.md#error-codes). */
  readonly failsShoot: boolean
}

export const codeRows: Readonly<Record<ErrorCode, CodeRow>> = {
  ERR_INFRA_UNAUTHENTICATED: {
    when: 'the credentials are not known',
    aws: 'AuthFailure',
    failsShoot: true,
  },
  ERR_INFRA_UNAUTHORIZED: {
    when: 'the credentials lack a permission',
    aws: 'AccessDenied',
    failsShoot: true,
  },
  ERR_INFRA_QUOTA_EXCEEDED: { when: 'a quota is used up', aws: 'VpcLimitExceeded', failsShoot: true },
  ERR_INFRA_RATE_LIMITS_EXCEEDED: {
    when: 'calls come too fast; a throttled call is requeued and gets no code',
    aws: 'RequestLimitExceeded',
    failsShoot: true,
  },
  ERR_INFRA_DEPENDENCIES: {
    when: 'something else is in the way',
    aws: 'DependencyViolation',
    failsShoot: true,
  },
  ERR_RETRYABLE_INFRA_DEPENDENCIES: {
    when: 'something else is in the way, and goes by itself',
    aws: 'RetryableError',
    failsShoot: false,
  },
  ERR_INFRA_RESOURCES_DEPLETED: {
    when: 'the provider has no more of what is asked for',
    aws: 'InsufficientInstanceCapacity',
    failsShoot: false,
  },
  ERR_CLEANUP_CLUSTER_RESOURCES: {
    when: 'resources in the shoot cannot be deleted; nothing here gives it',
    failsShoot: false,
  },
  ERR_CONFIGURATION_PROBLEM: {
    when: 'the spec, its config or the Secret cannot be used; the message names the field',
    aws: 'InvalidParameterValue',
    failsShoot: true,
  },
  ERR_RETRYABLE_CONFIGURATION_PROBLEM: {
    when: 'a setting of the user is in the way, and may change by itself',
    aws: 'SDK.CanNotResolveEndpoint',
    failsShoot: false,
  },
  ERR_PROBLEMATIC_WEBHOOK: {
    when: 'a webhook in the shoot refuses calls; nothing here gives it',
    failsShoot: true,
  },
}
