/** What `trellis install` renders. */
export const renderables = [
  'manifests',
  'chart',
  'registration',
  'operator-extension',
  'admission-runtime-chart',
  'admission-application-chart',
] as const
export type Renderable = (typeof renderables)[number]
