/** The exports that pages and wiring use. */
export {
  createSchedule,
  listSchedules,
  readSchedule,
  removeSchedule,
  scheduleCreated,
  scheduleDeleted,
} from './change-schedules.ts';
export type { ScheduleDeps } from './change-schedules.ts';
export type { Schedule, ScheduleFiles } from './schedule.ts';
export { ScheduleSchema } from './schedule-schema.ts';
export { deleteSchedulesOf } from './schedule-store.ts';
export { scheduleMailLimits, stopRestoredScheduleMail } from './schedule-mail-store.ts';
export { registerScheduleMetrics, scheduleWork } from './schedule-work.ts';
