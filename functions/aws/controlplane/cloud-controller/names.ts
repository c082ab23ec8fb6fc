export const cloudControllerName = 'cloud-controller-manager'
export const cloudControllerLabels = { app: 'kubernetes', role: cloudControllerName }

/** Metrics and probes, over TLS. */
export const metricsPort = 10258
