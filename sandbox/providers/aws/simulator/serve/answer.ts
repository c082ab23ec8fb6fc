import { randomUUID } from 'node:crypto'
import type { Clock } from '../../../../../shared/clock/clock.ts'
import { messageOf } from '../../../../../shared/text/message-of.ts'
import type { AccountStore } from '../accounts/account.ts'
import { type AuthenticationSettings, authenticate, type Caller } from '../accounts/authenticate.ts'
import { type CallLog, redacted } from '../calls/call-log.ts'
import type { NotBuiltList } from '../calls/not-built-list.ts'
import type { Codec, RoutedRequest } from '../codec/codec.ts'
import { createCodec } from '../codec/create-codec.ts'
import { MalformedRequest } from '../codec/malformed.ts'
import type { WireRequest, WireResponse } from '../codec/message.ts'
import type { ServiceModel } from '../codec/model.ts'
import { errorStatus, type WireError } from '../codec/wire-error.ts'
import type { FaultList } from '../faults/fault-list.ts'
import { DroppedConnection, hiddenRows, inflict } from '../faults/inflict.ts'
import type { Throttle } from '../faults/throttle.ts'
import { type ServingEndpoints, withoutRows } from '../lag/endpoints.ts'
import type { RowHistory } from '../lag/row-history.ts'
import type { ListRead } from '../lists/list-pages.ts'
import type { AnswerLists } from '../lists/lists.ts'
import type { MovableClock } from '../movable-clock.ts'
import { operatorCredentials } from '../operator.ts'
import { type Call, type Service, ServiceError } from '../service.ts'
import { identify, isQuery, type ServiceDestination } from './identify.ts'
import { misrouted } from './misrouted.ts'
import { missingMembers } from './missing-members.ts'
import { NotBuilt } from './not-built.ts'
import { permissionFor } from './permission.ts'
import { isRegion } from './regions.ts'
import { type OperationToRun, runOperation } from './run-operation.ts'

export interface AnswerDependencies {
  readonly clock: MovableClock
  readonly services: readonly Service<object>[]
  readonly authentication: AuthenticationSettings
  account(id: string): AccountStore
  /** The accounts that were used. */
  accounts(): readonly AccountStore[]
  readonly calls: CallLog
  readonly notBuilt: NotBuiltList
  readonly faults: FaultList
  readonly throttle: Throttle
  /** Undefined: all lists are whole and in their usual order. */
  readonly lists: AnswerLists | undefined
  /** Undefined: all calls see all writes. */
  readonly endpoints: ServingEndpoints | undefined
  readonly rowHistory: RowHistory
  readonly newId: Call<object>['newId']
  readonly newSession: Call<object>['newSession']
}

/** Answers one request. An undefined response means that the connection is to be dropped. */
export type AnswerRequest = (request: WireRequest, signal?: AbortSignal) => Promise<Answered>

export interface Answered {
  readonly response: WireResponse | undefined
  /** True if the operation returns a stream. */
  readonly streaming: boolean
}

/** The facts about a call that the log needs. */
interface Progress {
  /** Undefined until the codec has read it. */
  action: string | undefined
  caller: Caller | undefined
  input: Readonly<Record<string, unknown>>
  streaming: boolean
  notBuilt: string | undefined
}

/** The name is taken from the request, so invalid names are not repeated. */
const noService = (name: string, services: readonly Service<object>[]): WireError => ({
  code: 'UnknownService',
  message: /^[a-z][a-z0-9-]{0,62}$/.test(name)
    ? `The simulator has no service ${name}; it has ${services.map(({ model }) => model.name).join(', ')}.`
    : 'No service of this simulator answers at this address.',
  status: 404,
})

const internalFailure = (cause: unknown): WireError => ({
  code: 'InternalFailure',
  message: `The simulator failed: ${messageOf(cause)}`,
  status: 500,
})

/**
 * A request without a service has no error format. The default is that of STS; a request in JSON gets JSON (DynamoDB,
 * SQS).
 */
const withoutService = (
  { code, message }: WireError,
  { headers: { 'content-type': type = '' } }: WireRequest,
  requestId: string,
): WireResponse => {
  const isJson = /^application\/(?:x-amz-)?json/.test(type)
  return {
    status: 404,
    headers: { 'content-type': isJson ? 'application/json' : 'text/xml', 'x-amzn-requestid': requestId },
    body: Buffer.from(
      isJson
        ? JSON.stringify({ __type: code, message })
        : `<ErrorResponse><Error><Type>Sender</Type><Code>${code}</Code><Message>${message}</Message></Error><RequestId>${requestId}</RequestId></ErrorResponse>`,
    ),
  }
}

const hasStream = ({ operation }: RoutedRequest): boolean =>
  operation.output.isStructSchema() &&
  [...operation.output.structIterator()].some(([, member]) => member.isStreaming())

/** Query services report an unknown action. Other services report an unsupported operation. */
const unbuiltOperation = ({ model, refusals }: Service<object>, name: string): WireError =>
  isQuery(model) ? refusals.unknownOperation(name) : refusals.notBuilt(`the operation ${name}`)

/** Responses to HEAD and responses with status 304 have no body (RFC 9110, 9.3.2 and 15.4.5). */
const bare = ({ method }: WireRequest, response: WireResponse): WireResponse =>
  method === 'HEAD' || response.status === 304 ? { ...response, body: new Uint8Array() } : response

/** AWS dates its responses, and SDKs correct their signing clocks by them. */
const dated = (clock: Clock, response: WireResponse): WireResponse => ({
  ...response,
  headers: { date: new Date(clock.now()).toUTCString(), ...response.headers },
})

/**
 * Handles a request: identifies the caller and the operation, checks permissions, applies faults, runs the operation
 * and writes the response.
 */
export const createAnswer = (dependencies: AnswerDependencies): AnswerRequest => {
  const { clock, services, calls, faults, notBuilt } = dependencies
  const codecs = new Map<ServiceModel, Codec>()
  const codecOf = (model: ServiceModel): Codec => {
    const codec = codecs.get(model) ?? createCodec(model)
    codecs.set(model, codec)
    return codec
  }

  const route = (codec: Codec, service: Service<object>, request: WireRequest, progress: Progress) => {
    if (request.isCut || request.body.length > service.largestBody) {
      throw new ServiceError(service.refusals.tooLarge(service.largestBody))
    }
    try {
      return codec.route(request)
    } catch (error) {
      if (!(error instanceof MalformedRequest)) throw error
      if (error.kind === 'operation' && error.subject !== '') {
        progress.action = error.subject
        progress.notBuilt = error.subject
      }
      throw new ServiceError(misrouted(service.refusals, error))
    }
  }

  const perform = async (
    { service, region, wrongHost }: ServiceDestination & { readonly service: Service<object> },
    codec: Codec,
    request: WireRequest,
    requestId: string,
    progress: Progress,
    signal: AbortSignal | undefined,
  ): Promise<WireResponse> => {
    const { model, refusals } = service
    if (wrongHost) {
      const detail = `Credential should be scoped to correct service: '${model.name}'. `
      throw new ServiceError(refusals.wrongSignature(detail))
    }
    // A custom endpoint takes the request, as an endpoint of another region does. AWS's own hosts have no address.
    if (!isRegion(region))
      throw new ServiceError(
        refusals.wrongSignature(`Credential should be scoped to a valid region, not '${region}'. `),
      )
    const routed = route(codec, service, request, progress)
    progress.action = routed.operation.name
    progress.streaming = hasStream(routed)
    const handler = service.handlers[routed.operation.name]
    const name = `${model.name}:${routed.operation.name}`
    const caller = authenticate(dependencies.authentication, {
      request,
      anonymous: service.anonymous?.includes(routed.operation.name) ?? false,
      signingName: service.signingName,
      refusals,
      now: clock.now(),
    })
    progress.caller = caller
    const unwrapped = service.unwrap ? codec.route(await service.unwrap(request)) : routed
    const input = unwrapped.readInput()
    progress.input = redacted(routed.operation.input, input) as Record<string, unknown>
    if (!handler) {
      progress.notBuilt = routed.operation.name
      throw new ServiceError(unbuiltOperation(service, routed.operation.name))
    }
    const everywhere = () =>
      new Map(dependencies.accounts().map(each => [each.id, each.state(service, region)]))
    const question = { principal: caller.principal, request, now: clock.now(), everywhere }
    const permission = permissionFor(service, routed.operation.name, input, caller, question)
    const { accountId } = caller.principal
    // AWS counts requests to a regional service per region ("Request throttling for the Amazon EC2 API").
    const holder = service.scope === 'global' ? accountId : `${accountId} ${region}`
    if (!dependencies.throttle(holder, name, service.countedOf?.(routed.operation.name, input))) {
      throw new ServiceError(refusals.throttled())
    }
    const met = faults.meet({
      service: model.name,
      action: routed.operation.name,
      accessKeyId: caller.accessKeyId,
    })
    const words = { throttled: refusals.throttled, denied: permission.denied }
    await inflict(met, 'before', words, clock, signal)
    const violations = missingMembers(routed.operation.input, input)
    if (violations.length > 0) throw new ServiceError(refusals.incomplete(violations))
    const account = dependencies.account(caller.principal.accountId)
    const operation: OperationToRun = {
      service,
      action: routed.operation.name,
      handler,
      account,
      call: {
        stateOf: owner => account.state(owner, region),
        everywhere,
        request,
        principal: caller.principal,
        region,
        clock,
        requestId,
        may: permission.may,
        shared: permission.shared,
        newId: dependencies.newId,
        newSession: dependencies.newSession,
      },
    }
    const { lists, endpoints, rowHistory } = dependencies
    const isOperator = caller.accessKeyId === operatorCredentials.accessKeyId
    const serving = isOperator ? endpoints?.current : endpoints?.next(model.name)
    const hidden = hiddenRows(met)
    const endpoint = hidden ? withoutRows(serving, hidden) : serving
    const seen = <T>(answer: T): T => {
      const { accessKeyId } = caller
      const { input: shown } = progress
      calls.effect({
        service: model.name,
        action: operation.action,
        region,
        accountId,
        accessKeyId,
        input: shown,
      })
      return answer
    }
    const read: ListRead = (given, from) => {
      const behind = from === 'behind' ? endpoints?.behind : endpoint
      const answer = runOperation(operation, given, rowHistory, behind)
      // Without a pause, in which another call could change rows.
      return answer instanceof Promise ? answer.then(seen) : seen(answer)
    }
    const output = await (lists && !isOperator ? lists(name, input, read) : read(input))
    await inflict(met, 'after', words, clock, signal)
    return codec.encode(routed.operation, { ...output }, requestId)
  }

  const errorOf = (service: Service<object>, error: unknown): WireError => {
    if (error instanceof NotBuilt) return service.refusals.notBuilt(error.what)
    if (error instanceof ServiceError) return error.wire
    if (error instanceof MalformedRequest) return service.refusals.malformed(error)
    return internalFailure(error)
  }

  return async (request, signal) => {
    const requestId = randomUUID()
    const time = clock.now()
    const destination = identify(services, request)
    const { service } = destination
    const codec = service && codecOf(service.model)
    const progress: Progress = {
      action: undefined,
      caller: undefined,
      input: {},
      streaming: false,
      notBuilt: undefined,
    }
    const name = service?.model.name ?? destination.name
    const log = (outcome: 'success' | 'error' | 'dropped', status?: number, errorCode?: string) => {
      if (progress.notBuilt !== undefined) notBuilt.add(`${name}:${progress.notBuilt}`)
      calls.add({
        service: name,
        action: progress.action ?? destination.action(),
        region: destination.region,
        accountId: progress.caller?.principal.accountId,
        accessKeyId: progress.caller?.accessKeyId,
        input: progress.input,
        outcome,
        errorCode,
        status,
        time,
        requestId,
        notBuilt: progress.notBuilt,
      })
    }
    if (!service || !codec) {
      progress.notBuilt = destination.action()
      const refusal = noService(name, services)
      log('error', refusal.status, refusal.code)
      return { response: dated(clock, withoutService(refusal, request, requestId)), streaming: false }
    }
    try {
      const response = bare(
        request,
        await perform({ ...destination, service }, codec, request, requestId, progress, signal),
      )
      log('success', response.status)
      return { response: dated(clock, response), streaming: progress.streaming }
    } catch (error) {
      if (error instanceof DroppedConnection || signal?.aborted) {
        log('dropped')
        return { response: undefined, streaming: false }
      }
      if (error instanceof NotBuilt) {
        progress.notBuilt = `${progress.action}: ${error.what.replace(` of ${progress.action}`, '')}`
      }
      const wire = errorOf(service, error)
      log('error', errorStatus(service.model, wire), wire.code)
      return {
        response: dated(clock, bare(request, codec.encodeError(wire, requestId))),
        streaming: false,
      }
    }
  }
}
