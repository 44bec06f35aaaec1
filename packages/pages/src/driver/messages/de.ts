import { de as tracking } from '../../messages/de.ts';
import type { DriverMessages } from './messages.ts';

export const de: DriverMessages = {
  statuses: tracking.statuses,
  exceptions: tracking.exceptions,
  times: tracking.times,
  yourTimes: tracking.yourTimes,
  title: 'Fahrer',
  steps: {
    dispatched: 'Ich übernehme die Sendung',
    picked_up: 'Abgeholt',
    in_transit: 'Unterwegs',
    delivered: 'Mit Unterschrift zustellen',
  },
  sync: {
    sent: 'Alles gesendet',
    offline: 'Offline',
    offlineWaiting: (count) => `Offline · ${count} warten`,
    sending: (count) => `Sendet · ${count} warten`,
    waiting: (count) => `Nicht gesendet · ${count} warten`,
    stopped: (count) => `Bitte prüfen · ${count} warten`,
  },
  kept: 'Was wartet, bleibt auf diesem Telefon und wird gesendet.',
  held: (what) => `„${what}“ wird gleich gesendet.`,
  undo: 'Rückgängig',
  itemSent: '✓ gesendet',
  itemWaits: 'wartet',
  itemNext: 'als Nächstes',
  pickUp: (when) => `Abholung ${when}`,
  deliver: (when) => `Zustellung ${when}`,
  pieces: (count) => `${count} Stück`,
  directions: 'Route',
  call: (name) => `${name ?? 'Standort'} anrufen`,
  progress: 'Schritte',
  waitingTitle: 'Auf diesem Telefon',
  others: 'Andere Sendungen',
  share: 'Meinen Standort teilen, solange diese Seite offen ist',
  shareRefused: 'Der Standort ist aus. Erlauben Sie ihn für diese Seite in den Einstellungen des Browsers.',
  leftOut: (count) =>
    count === 1
      ? 'Eine Position wurde ausgelassen: Ihr Ort oder ihre Zeit kann nicht stimmen.'
      : `${count} Positionen wurden ausgelassen: Ihr Ort oder ihre Zeit kann nicht stimmen.`,
  fallback: 'Der zuletzt geöffnete Link funktioniert hier nicht. Die Seite verwendet weiter Ihren früheren Link.',
  wrong: 'Etwas stimmt nicht',
  nobody: 'Niemand da',
  whatHappened: 'Was ist passiert?',
  description: 'Einzelheiten, wenn sie helfen',
  addPhoto: 'Foto aufnehmen',
  photo: (number) => `Foto ${number}`,
  removePhoto: (number) => `Foto ${number} entfernen`,
  badPhoto: 'Diese Datei ist nicht als Foto lesbar. Nehmen Sie ein anderes auf.',
  report: 'Melden',
  back: 'Zurück',
  proof: 'Zustellnachweis',
  signedBy: 'Name der Person, die unterschreibt',
  signature: 'Unterschrift',
  clear: 'Löschen',
  unattended: 'Niemand unterschreibt: Ich stelle es ab, mit Foto',
  locating: 'Standort wird gesucht …',
  located: 'Standort gefunden',
  withoutLocation: 'Ihr Standort ist nicht bekannt. Der Nachweis wird ohne ihn gesendet.',
  missing: (parts) => `Es fehlt noch: ${parts}`,
  location: 'Standort',
  handoverCode: 'Code des Empfängers (4 bis 8 Ziffern)',
  deliverNow: 'Zugestellt',
  full: 'Auf diesem Telefon wartet zu viel. Stellen Sie zuerst eine Verbindung her.',
  impossible:
    'Das ist schon erfasst, oder die Sendung hat sich geändert. Gehen Sie zurück und prüfen Sie die Schritte.',
  refusals: {
    invalid_transition:
      'Die Sendung hat sich geändert: Jemand hat einen anderen Schritt erfasst. Rufen Sie die Disposition an.',
    uploads_not_accepted: 'Die Sendung ist schon zugestellt oder storniert. Rufen Sie die Disposition an.',
    exception_not_accepted: 'Das kann im jetzigen Status nicht gemeldet werden.',
    exception_limit_reached: 'Es wurde schon zu viel gemeldet. Rufen Sie die Disposition an.',
    invalid_request: 'Die Zeit passt nicht zu den anderen Schritten. Senden Sie es noch einmal mit der jetzigen Zeit.',
    invalid_entry: 'Eine Eingabe wurde nicht angenommen. Ändern Sie sie, und senden Sie es noch einmal.',
    insufficient_scope: 'Ihr Link erlaubt das nicht. Bitten Sie die Disposition um einen anderen.',
    handover_code_required:
      'Der Empfänger hat einen Code für diese Zustellung. Fragen Sie danach, und senden Sie es noch einmal mit dem Code.',
    handover_code_wrong:
      'Der Code war falsch. Fragen Sie den Empfänger noch einmal. Nach fünf falschen Codes ist die Zustellung gesperrt.',
    handover_code_locked:
      'Zu viele falsche Codes. Rufen Sie die Disposition an: Sie kann einen anderen Code festlegen. Senden Sie es dann mit diesem.',
    unknown_upload: 'Die Fotos konnten nicht gespeichert werden. Senden Sie es noch einmal.',
  },
  otherRefusal: (code) => `Das wurde nicht angenommen (${code}). Rufen Sie die Disposition an.`,
  limits: {
    upload_limit_reached: (when) =>
      `Zu viele Dateien dieser Sendung sind unvollständig, daher können die Fotos nicht gesendet werden. Rufen Sie die Disposition an. Nächster Versuch: ${when}.`,
    storage_quota_exceeded: (when) =>
      `Der Speicher für Dateien ist voll, daher können die Fotos nicht gesendet werden. Rufen Sie die Disposition an. Nächster Versuch: ${when}.`,
  },
  again: 'Noch einmal senden',
  change: 'Ändern',
  againNow: 'Mit der jetzigen Zeit senden',
  discard: 'Verwerfen',
  confirmDiscard: (what) => `„${what}“ verwerfen? Es wird nie gesendet.`,
  done: {
    sent: 'Alles ist gesendet. Sie können diese Seite schließen.',
    waiting: 'Lassen Sie diese Seite offen, bis alles gesendet ist.',
  },
  cancelled: 'Diese Sendung wurde storniert. Holen Sie sie nicht ab.',
  closed: {
    none: { title: 'Keine Sendung', text: 'Öffnen Sie den Link, den die Disposition Ihnen geschickt hat.' },
    unknown: {
      title: 'Dieser Link funktioniert nicht',
      text: 'Er ist unvollständig oder wurde zurückgezogen. Bitten Sie die Disposition um einen neuen.',
    },
    expired: { title: 'Dieser Link ist abgelaufen', text: 'Bitten Sie die Disposition um einen neuen.' },
    offline: {
      title: 'Keine Verbindung',
      text: 'Diese Sendung wurde noch nicht geladen. Sie öffnet sich, sobald es ein Netz gibt.',
    },
    loading: { title: 'Wird geladen', text: 'Einen Moment.' },
  },
  waitingForLink: (count) =>
    `Auf diesem Telefon warten Einträge: ${count}. Mit einem neuen Link für diese Sendung werden sie gesendet.`,
  tryAgain: 'Noch einmal versuchen',
};
