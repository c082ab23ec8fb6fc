/** The Helm chart: built from the objects that run Trellis in a seed, under the conditions of its values. */

export {
  type AdmissionChart,
  admissionChartFiles,
  admissionCharts,
  parseAdmissionValues,
} from './admission/admission-charts.ts'
export { admissionDeployment } from './admission/admission-deployment.ts'
export { chartArchive } from './chart-archive.ts'
export { deploymentOfValues, type Installable, type Release } from './deployment-of-values.ts'
export { type ChartFiles, type ChartOptions, chartFiles, chartName, contentsOf } from './files/chart-files.ts'
export { type ChartValues, chartValuesSchema } from './values/chart-values.ts'
export { parseValues, ValuesError } from './values/parse-values.ts'
