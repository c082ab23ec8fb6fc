import { type Alert, type RuleScope, selector } from './alert.ts'

const logs =
  '`kubectl logs -l app=bridge` in the namespace of the installation: one line says what is away and which setting decides on it.'
const waiting =
  'What waits and why: `trellis bridge --dump` with a kubeconfig of the seed, or `kubectl exec` into the pod and `kill -USR2 1`, which prints it into the log.'

/** Alerts for the process that dispatches all work. */
export const bridgeAlerts = (scope: RuleScope): readonly Alert[] => {
  const ours = selector(scope)
  return [
    {
      name: 'TrellisBridgeDown',
      severity: 'critical',
      expr: `absent(${ours('trellis_bridge_ready')})`,
      for: '5m',
      summary: 'No bridge of Trellis is scraped.',
      meaning:
        'Nothing that is asked for is begun, and gardenlet takes extensions for dead. What runs goes on; nothing is lost.',
      steps: [
        '`kubectl get pods -l app=bridge`: are there pods, and are they running? `kubectl describe` says why not: image, quota, node, a missing SinkBinding.',
        'Are they running: does Prometheus reach them? The ServiceMonitor selects the Service `bridge`; its annotations open the NetworkPolicies.',
        logs,
      ],
    },
    {
      name: 'TrellisBridgeShardMissing',
      severity: 'critical',
      // Shards know their number. A missing one has no series, so the others have to reveal it.
      expr: `max(${ours('trellis_bridge_shards')}) - count(max by (shard) (${ours('trellis_bridge_ready')})) > 0`,
      for: '5m',
      summary: 'A shard of Trellis has no bridge.',
      meaning:
        'Nothing that is asked for of its objects is begun; those of the other shards go on. Without shard 0 no heartbeat is kept, and gardenlet takes extensions for dead.',
      steps: [
        '`max by (shard) (trellis_bridge_ready)` has the shards that there are, from 0: the one that is not among them is it.',
        'Its Deployment: has it pods, and are they running? `kubectl describe` says why not: image, quota, node, a missing SinkBinding.',
        'The number of shards was changed: have all of them the same `TRELLIS_SHARDS`? A bridge that was left behind with a greater one is told here, too.',
        'Are they running: is the Service `bridge` for them, and does Prometheus reach them?',
      ],
    },
    {
      name: 'TrellisBridgeNotReady',
      severity: 'critical',
      expr: `max by (shard) (${ours('trellis_bridge_ready')}) == 0`,
      for: '10m',
      summary: 'No bridge of Trellis has listed all objects of shard {{ $labels.shard }}.',
      meaning: 'It sends for what it knows of, and knows of a part only.',
      steps: [
        logs,
        'A resource that is refused: does its ClusterRole name it? Apply the manifests of the same release again.',
        'A CRD that is missing: is Gardener of a version that has the kind?',
      ],
    },
    {
      name: 'TrellisBridgeNoLeader',
      severity: 'critical',
      expr: `sum by (shard) (${ours('trellis_bridge_leader')}) == 0`,
      for: '2m',
      summary: 'No bridge of Trellis holds the Lease of shard {{ $labels.shard }}.',
      meaning: 'Bridges run, and none sends. Who runs one shard, as most do, has shard 0 alone.',
      steps: [
        '`kubectl get lease trellis-bridge -o yaml`: who holds it, and when was it renewed?',
        'A holder that is gone: another one takes over within 15 s. If it does not: may the account update the Lease (`kubectl auth can-i`)? Does TRELLIS_LEASE_NAME fit the Role?',
        logs,
      ],
    },
    {
      name: 'TrellisSinkDown',
      severity: 'critical',
      // A bridge that starts while the Broker is down has no series for accepted events.
      expr: `sum(increase(${ours('trellis_bridge_retried_total')}[5m])) > 0 unless sum(increase(${ours('trellis_bridge_accepted_total')}[5m])) > 0`,
      for: '5m',
      summary: 'The Broker takes no events of Trellis.',
      meaning:
        'Nothing that is asked for is begun. The bridge goes on trying, and sends everything when the Broker is back.',
      steps: [
        '`kubectl get broker`: is it ready? Its conditions say what is not.',
        logs,
        '401 or 403: does an EventPolicy let the account of the bridge in, and does the token have the audience of the Broker?',
      ],
    },
    {
      name: 'TrellisEventsRefused',
      severity: 'warning',
      expr: `max by (kind) (${ours('trellis_bridge_parked')}) > 0`,
      for: '15m',
      summary: 'Events for {{ $labels.kind }} are refused.',
      meaning: 'Those objects are tried ever more seldom, every hour at last.',
      steps: [
        '`kubectl get events -A --field-selector reason=NotSent` names the objects and why.',
        'An object without `spec.type`: whoever made it has to set it. A refusal of the Broker: see its logs for its limit of size.',
      ],
    },
    {
      name: 'TrellisEventsUnclaimed',
      severity: 'warning',
      expr: `max by (kind) (${ours('trellis_bridge_unclaimed')}) > 0`,
      for: '15m',
      summary: 'No function claims objects of kind {{ $labels.kind }}.',
      meaning: 'They stay as they are.',
      steps: [
        '`kubectl get events -A --field-selector reason=NotClaimed` names the objects, and a type that was perhaps meant.',
        '`kubectl get trigger,ksvc`: is there one for the kind and type, and is it ready?',
        'A function that cannot start: `kubectl get pods`, image, quota; its log says in one line which setting is wrong.',
      ],
    },
    {
      name: 'TrellisEventsLate',
      severity: 'warning',
      expr: `max by (kind) (${ours('trellis_bridge_oldest_waiting_seconds')}) > 300`,
      for: '5m',
      summary: 'Events for {{ $labels.kind }} have waited for more than five minutes.',
      meaning: 'What is asked for begins late.',
      steps: [
        waiting,
        'Is the Broker slow? The panel of its answers in the dashboard of the bridge says how slow.',
      ],
    },
    {
      name: 'TrellisWatchesFail',
      severity: 'warning',
      expr: `sum by (resource) (increase(${ours('trellis_bridge_watch_restarts_total', 'reason="failed"')}[10m])) > 5`,
      for: '10m',
      summary: 'The watch of {{ $labels.resource }} fails again and again.',
      meaning: 'Changes are seen late, or not until it works.',
      steps: [
        logs,
        '403: does the ClusterRole of the bridge name the resource? Else: how is the API server?',
      ],
    },
    {
      name: 'TrellisHeartbeatLate',
      severity: 'critical',
      // gardenlet reads no heartbeat of an extension without a namespace in the seed.
      expr: `sum by (extension) (increase(${ours('trellis_bridge_heartbeats_total')}[5m])) == 0 and on (extension) max by (extension) (${ours('trellis_bridge_heartbeat_expected')}) == 1`,
      for: '2m',
      summary: 'The heartbeat of {{ $labels.extension }} is not renewed.',
      meaning:
        'gardenlet calls what the extension reports outdated, and conditions of shoots become unknown.',
      steps: [
        'The log of the bridge: `no function answers health checks` names the types of the extension without an answer: see [TrellisEventsUnclaimed](#trelliseventsunclaimed). `the heartbeat failed` says what the API server answers.',
        'Are the types in `TRELLIS_EXTENSIONS` those of the ControllerRegistration, and are they in `TRELLIS_SERVED`?',
      ],
    },
    {
      name: 'TrellisProcessDies',
      severity: 'warning',
      // A new start time in the same pod means that the container ended. A new release creates new pods.
      expr: `sum by (pod, container) (changes(${ours('process_start_time_seconds', 'container=~"bridge|webhook"')}[30m])) > 0`,
      for: '1m',
      summary: 'The container {{ $labels.container }} of {{ $labels.pod }} ended and began again.',
      meaning:
        'The other replica goes on. Each end costs the seconds of a takeover, and both may end for the same reason.',
      steps: [
        '`kubectl describe pod`: the exit code of the last state. 134: V8 ran out of memory (`--max-old-space-size` in `NODE_OPTIONS`). 137: the kernel ended it at its memory limit, or the liveness probe failed. 1: it threw an error.',
        '`kubectl logs --previous` has its last lines.',
        'Memory: how many objects does it watch (the dashboard of the bridge)? Set greater limits in the values of the chart (`bridge.resources`, `bridge.env`), or report it with the log.',
      ],
    },
    {
      name: 'TrellisBridgeBusy',
      severity: 'warning',
      expr: `max(${ours('nodejs_eventloop_lag_p99_seconds', 'container="bridge"')}) > 0.5`,
      for: '15m',
      summary: 'The bridge takes long to turn to what has come.',
      meaning: 'Events go out late, and it may lose its Lease.',
      steps: [
        'Has it enough processor time? Its request and those of its neighbours on the node.',
        'How many objects does it watch (the dashboard of the bridge)? With more than 50,000 share the load: [several bridges](bridge.md#several-bridges).',
      ],
    },
  ]
}
