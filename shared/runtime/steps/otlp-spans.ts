import {
  type Attributes,
  type Context,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { defaultResource, resourceFromAttributes } from '@opentelemetry/resources'
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import * as conventions from '@opentelemetry/semantic-conventions/incubating'
import type { ExtensionEvent } from '../../events/events.ts'
import type { Call, StepReport } from '../../journal/journal.ts'
import type { SpanExport } from './span-export.ts'

/**
 * Exports steps as spans over OTLP/HTTP, with OpenTelemetry's conventions for CloudEvents, FaaS, HTTP and RPC. The
 * libraries read other variables `OTEL_EXPORTER_OTLP_…` and `OTEL_RESOURCE_ATTRIBUTES` themselves. They send every few
 * seconds, hold at most 2,048 spans, and drop more.
 *
 * @param name the name of the process: `aws-dnsrecord`
 * @param endpoint without `/v1/traces`
 */
export const otlpSpans = (name: string, endpoint: string): SpanExport => {
  const provider = new TracerProvider({
    resource: defaultResource().merge(
      resourceFromAttributes({
        [conventions.ATTR_SERVICE_NAME]: name,
        ...attributeIf(conventions.ATTR_CLOUD_PROVIDER, cloudOf(name)),
      }),
    ),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: new OTLPTraceExporter({ url: `${endpoint.replace(/\/$/, '')}/v1/traces` }),
      }),
    ],
  })
  const tracer = provider.getTracer('trellis')
  return { step: (report, event) => exportStep(tracer, report, event), close: () => provider.shutdown() }
}

const exportStep = (tracer: Tracer, report: StepReport, event: ExtensionEvent): void => {
  const began = Date.parse(report.began)
  const span = tracer.startSpan(
    report.function,
    { kind: SpanKind.CONSUMER, startTime: began, attributes: stepAttributes(report, event) },
    parentOf(report.traceparent),
  )
  if (failedOutcomes.has(report.outcome))
    span.setStatus({ code: SpanStatusCode.ERROR, message: report.reason ?? report.outcome })
  const context = trace.setSpan(ROOT_CONTEXT, span)
  for (const call of report.calls) exportCall(tracer, call, { report, began, context })
  span.end(began + report.ms)
}

const failedOutcomes = new Set(['failed', 'unrecorded'])

const stepAttributes = (report: StepReport, event: ExtensionEvent): Attributes => ({
  [conventions.ATTR_FAAS_TRIGGER]: conventions.FAAS_TRIGGER_VALUE_PUBSUB,
  [conventions.ATTR_FAAS_NAME]: report.function,
  [conventions.ATTR_FAAS_INVOCATION_ID]: event.id,
  [conventions.ATTR_CLOUDEVENTS_EVENT_ID]: event.id,
  [conventions.ATTR_CLOUDEVENTS_EVENT_SOURCE]: event.source,
  [conventions.ATTR_CLOUDEVENTS_EVENT_SPEC_VERSION]: '1.0',
  [conventions.ATTR_CLOUDEVENTS_EVENT_TYPE]: event.type,
  [conventions.ATTR_CLOUDEVENTS_EVENT_SUBJECT]: event.subject,
  ...attributeIf(conventions.ATTR_K8S_NAMESPACE_NAME, event.namespace),
  'trellis.object': report.object,
  'trellis.operation': report.operation,
  'trellis.outcome': report.outcome,
  ...attributeIf('trellis.lost_calls', report.lost),
})

interface InStep {
  readonly report: StepReport
  readonly began: number
  readonly context: Context
}

const exportCall = (tracer: Tracer, call: Call, { report, began, context }: InStep): void => {
  const startTime = began + call.after
  const attributes = call.to === 'kubernetes' ? httpAttributes(call) : rpcAttributes(call, report.function)
  const span = tracer.startSpan(
    call.name,
    {
      kind: SpanKind.CLIENT,
      startTime,
      attributes: { ...attributes, ...attributeIf(conventions.ATTR_ERROR_TYPE, call.error) },
    },
    context,
  )
  if (call.error !== undefined) span.setStatus({ code: SpanStatusCode.ERROR, message: call.error })
  span.end(startTime + call.ms)
}

/** Methods of calls that HTTP calls otherwise. */
const httpMethods: Readonly<Record<string, string>> = { LIST: 'GET', APPLY: 'PATCH' }

const httpAttributes = ({ name, target, status }: Call): Attributes => {
  const [method = '', resource] = name.split(' ')
  return {
    [conventions.ATTR_HTTP_REQUEST_METHOD]: httpMethods[method] ?? method,
    ...attributeIf(conventions.ATTR_HTTP_RESPONSE_STATUS_CODE, statusCode(status)),
    ...attributeIf('trellis.resource', resource),
    ...attributeIf('trellis.target', target),
  }
}

const rpcAttributes = ({ name, args, requestId, status }: Call, program: string): Attributes => {
  const cloud = cloudOf(program)
  return {
    [conventions.ATTR_RPC_METHOD]: name.replace(' ', '/'),
    ...attributeIf(conventions.ATTR_RPC_SYSTEM_NAME, cloud && `${cloud}-api`),
    ...attributeIf(conventions.ATTR_CLOUD_PROVIDER, cloud),
    ...attributeIf(conventions.ATTR_HTTP_RESPONSE_STATUS_CODE, statusCode(status)),
    ...attributeIf(`${cloud ?? 'trellis'}.request_id`, requestId),
    ...attributeIf('trellis.args', args),
  }
}

/** The names of clouds in OpenTelemetry's conventions. */
const clouds: ReadonlySet<string> = new Set(
  Object.entries(conventions).flatMap(([name, value]) =>
    name.startsWith('CLOUD_PROVIDER_VALUE_') ? [String(value)] : [],
  ),
)

/** Names of functions begin with their provider: `aws-dnsrecord`. */
const cloudOf = (program: string): string | undefined => {
  const [provider = ''] = program.split('-')
  return clouds.has(provider) ? provider : undefined
}

const statusCode = (status: string): number | undefined =>
  /^\d{3}$/.test(status) ? Number(status) : undefined

const attributeIf = (name: string, value: string | number | undefined): Attributes =>
  value === undefined ? {} : { [name]: value }

/** Returns the context of a W3C trace context. Without one, the step begins a trace. */
const parentOf = (traceparent = ''): Context => {
  const [, traceId, spanId, flags = ''] =
    /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/.exec(traceparent) ?? []
  if (traceId === undefined || spanId === undefined) return ROOT_CONTEXT
  return trace.setSpanContext(ROOT_CONTEXT, {
    traceId,
    spanId,
    traceFlags: Number.parseInt(flags, 16),
    isRemote: true,
  })
}
