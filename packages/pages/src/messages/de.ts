import type { BoardMessages, DriverMessages, PaperMessages, TrackingMessages } from './messages.ts';

export const name = 'Deutsch';
export const locale = 'de';

// Texts of more than one page.
const statuses: TrackingMessages['statuses'] = {
  scheduled: 'Geplant',
  dispatched: 'Fahrer zugewiesen',
  picked_up: 'Abgeholt',
  in_transit: 'Unterwegs',
  delivered: 'Zugestellt',
  cancelled: 'Storniert',
  returned: 'Zurückgebracht',
  lost: 'Verloren',
};
const exceptions: TrackingMessages['exceptions'] = {
  weather_delay: 'Verzögerung durch das Wetter',
  traffic_delay: 'Verzögerung durch den Verkehr',
  breakdown: 'Das Fahrzeug hat eine Panne',
  facility_delay: 'Wartet an einer Rampe, einem Terminal oder einem Tor',
  appointment_missed: 'Der Termin wurde verpasst',
  nobody_there: 'Versuch: Niemand war da',
  refused: 'Versuch: Die Fracht wurde abgelehnt',
  address_wrong: 'Versuch: Die Adresse ist falsch',
  closed: 'Versuch: Der Standort war geschlossen',
  damaged: 'Die Fracht ist beschädigt',
  short: 'Fracht fehlt',
  over: 'Es ist mehr Fracht da als erwartet',
  customs_hold: 'Vom Zoll angehalten',
  lost: 'Die Sendung ist nicht auffindbar',
};
const otherException = 'Es gab ein Problem';
const facts: TrackingMessages['facts'] = {
  totals: 'Fracht',
  carrier: 'Spediteur',
  service_level: 'Service',
};
const references: TrackingMessages['references'] = {
  own: 'Referenz',
  purchase_order: 'Bestellung',
  bill_of_lading: 'Frachtbrief',
  pro: 'PRO-Nummer',
  order: 'Auftrag',
  customer: 'Kundennummer',
  appointment: 'Terminnummer',
  other: 'Andere Nummer',
};
const pieces: TrackingMessages['pieces'] = (count, formatted) =>
  `${formatted} ${count === 1 ? 'Packstück' : 'Packstücke'}`;
const papers: PaperMessages = {
  documents: 'Dokumente',
  documentTypes: {
    bill_of_lading: 'Frachtbrief',
    proof_of_delivery: 'Zustellnachweis',
    weight_ticket: 'Wiegeschein',
    invoice: 'Rechnung',
    photo: 'Foto',
    other: 'Anderes Dokument',
  },
  remarks: 'Bemerkungen',
  item: (number) => `Position ${number}`,
  counted: (pieces, expected) => `${pieces} von ${expected} Packstücken`,
};
const proof = 'Zustellnachweis';
const location = 'Standort';
const offline = 'Offline';
const times: TrackingMessages['times'] = (place) => `Zeiten sind Ortszeiten von ${place}.`;
const yourTimes = 'Zeiten sind in Ihrer Zeitzone.';
const languages = 'Sprache';
const expiredLink = 'Dieser Link ist abgelaufen';
const unknownLink = 'Dieser Link funktioniert nicht';

/** The tracking page. */
export const tracking: TrackingMessages = {
  ...{ statuses, exceptions, otherException, facts, references, pieces, proof, location, times, yourTimes, languages },
  ...papers,
  events: {
    scheduled: 'Sendung angelegt',
    dispatched: 'Fahrer zugewiesen',
    picked_up: 'Am Startort abgeholt',
    in_transit: 'Unterwegs zum Ziel',
    delivered: 'Zugestellt',
    cancelled: 'Sendung storniert',
    returned: 'An den Absender zurückgebracht',
    lost: 'Die Sendung ging verloren',
  },
  steps: {
    wait: 'Die Sendung geht weiter, ohne dass Sie etwas tun müssen.',
    reschedule: 'Ein neuer Versuch wird vereinbart.',
    correct_address: 'Der Absender muss die Adresse korrigieren.',
    return: 'Die Fracht geht möglicherweise an den Absender zurück.',
    claim: 'Der Absender kann Schadenersatz verlangen.',
  },
  customs:
    'Sie geht weiter, wenn der Zoll sie freigibt. Der Absender oder der Empfänger muss vielleicht Unterlagen einreichen.',
  concerns: { pickup: 'Abholung', delivery: 'Zustellung' },
  headline: {
    arrives: (when) => `Ankunft ${when}`,
    overdue: (when) => `Erwartet war ${when}`,
    planned: (when) => `Geplant für ${when}`,
    unknown: 'Ankunftszeit noch nicht bekannt',
    delivered: (when) => `Zugestellt ${when}`,
    cancelled: 'Diese Sendung wurde storniert',
    returned: (when) => `Zurückgebracht ${when}`,
    lost: 'Diese Sendung ging verloren',
  },
  lead: {
    scheduled: (origin) => `Der Spediteur hat Ihre Fracht${origin ? ` in ${origin}` : ''} noch nicht abgeholt.`,
    dispatched: (origin) => `Ein Fahrer ist zugewiesen und holt Ihre Fracht${origin ? ` in ${origin}` : ''} ab.`,
    picked_up: (origin) => `Ihre Fracht wurde${origin ? ` in ${origin}` : ''} abgeholt.`,
    in_transit: (destination) => `Ihre Fracht ist unterwegs${destination ? ` nach ${destination}` : ''}.`,
    delivered: (signedBy) => (signedBy ? `Unterschrieben von ${signedBy}.` : 'Ihre Fracht ist angekommen.'),
    unattended: 'Die Fracht wurde ohne Unterschrift am Ziel abgestellt.',
    cancelled: (reason) => (reason ? `Grund: ${reason}` : 'Sie wird nicht zugestellt.'),
    returned: 'Sie wurde dem Absender zurückgebracht.',
    lost: 'Der Spediteur findet sie nicht. Fragen Sie den Absender, wie es weitergeht.',
    distance: (distance) => `Noch etwa ${distance}.`,
    late: (window) => `Das ist später als geplant (${window}).`,
    overdue: 'Sie ist verspätet, und der Spediteur hat keine neue Zeit gemeldet.',
  },
  late: 'Verspätet',
  progress: 'Fortschritt',
  timeline: 'Verlauf',
  emptyTimeline: 'Bisher ist nichts geschehen.',
  reported: (when) => `Gemeldet: ${when}`,
  resolved: (when) => `Behoben: ${when}`,
  lastSeen: 'Zuletzt gesehen',
  lastReported: 'Letzte Position vor der Zustellung',
  near: (place) => `In der Nähe von ${place}`,
  from: 'Von',
  to: 'Nach',
  details: 'Einzelheiten',
  callSender: (name) => `${name ?? 'Absender'} anrufen`,
  share: 'Teilen',
  copied: 'Link kopiert',
  print: 'Drucken',
  handoverCode: 'Übergabecode',
  handoverHint: 'Nennen Sie diesen Code dem Fahrer, wenn Sie die Fracht erhalten, und niemandem vorher.',
  receipt: 'Ablieferbeleg',
  signedBy: 'Unterschrieben von',
  deliveredAt: 'Zugestellt',
  noLocation: 'Kein Standort',
  signatureOf: (name) => `Unterschrift von ${name}`,
  photo: (number, count) => `Foto ${number} von ${count}`,
  enlarge: 'In voller Größe öffnen',
  map: {
    title: 'Karte der Strecke',
    route: (origin, destination) => `Von ${origin} nach ${destination}.`,
    to: (destination) => `Nach ${destination}.`,
    current: (place) => `Zuletzt gesehen: ${place}.`,
  },
  utcTimes: 'Zeiten sind in UTC.',
  updated: 'Stand',
  reload: 'Laden Sie diese Seite neu, um Neues zu sehen.',
  offline: 'Sie sind offline. Diese Seite zeigt, was zuvor bekannt war.',
  liveLost: 'Die Live-Aktualisierung ist unterbrochen. Diese Seite fragt jede Minute nach.',
  closed: {
    expired: {
      title: expiredLink,
      text: 'Bitten Sie den Absender oder den Spediteur um einen neuen Link zu Ihrer Sendung.',
    },
    unknown: {
      title: unknownLink,
      text: 'Er ist unvollständig, oder der Absender hat ihn zurückgezogen. Prüfen Sie den Link, oder bitten Sie den Absender um einen neuen.',
    },
    busy: {
      title: 'Diese Seite ist gerade nicht verfügbar',
      text: 'Ihre Sendung ist davon nicht betroffen. Laden Sie diese Seite in einer Minute neu.',
    },
  },
};

/** The driver page. */
export const driver: DriverMessages = {
  ...{ statuses, exceptions, references, location, times, yourTimes, pieces },
  title: 'Fahrer',
  steps: {
    dispatched: 'Ich übernehme die Sendung',
    picked_up: 'Abgeholt',
    in_transit: 'Unterwegs',
    delivered: 'Mit Unterschrift zustellen',
  },
  sync: {
    sent: 'Alles gesendet',
    offline,
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
  ended: {
    cancelled: 'Diese Sendung wurde storniert. Holen Sie sie nicht ab.',
    returned: 'Diese Sendung wurde dem Absender zurückgebracht.',
    lost: 'Diese Sendung gilt als verloren. Wenn Sie sie haben, rufen Sie Ihre Disposition an.',
  },
  closed: {
    none: { title: 'Keine Sendung', text: 'Öffnen Sie den Link, den die Disposition Ihnen geschickt hat.' },
    unknown: {
      title: unknownLink,
      text: 'Er ist unvollständig oder wurde zurückgezogen. Bitten Sie die Disposition um einen neuen.',
    },
    expired: { title: expiredLink, text: 'Bitten Sie die Disposition um einen neuen.' },
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

/** The board. */
export const board: BoardMessages = {
  ...{ statuses, exceptions, otherException, facts, references, pieces, languages },
  ...papers,
  title: 'Übersicht',
  shipmentsView: 'Sendungen',
  figuresView: 'Kennzahlen',
  search: 'Nummer, Referenz oder Ort',
  searchHelp: 'Mit der Eingabetaste suchen Sie eine Nummer oder Referenz unter allen Sendungen.',
  notFound: (query) => `Keine Sendung hat die Nummer oder die Referenz ${query}.`,
  filterLabel: 'Anzeigen',
  connections: {
    loading: 'Wird geladen',
    live: 'Live',
    polling: 'Live, ohne Stream',
    interrupted: 'Keine Verbindung. Neuer Versuch …',
    offline,
  },
  filters: {
    active: 'Aktiv',
    attention: 'Braucht Aufmerksamkeit',
    moving: 'Unterwegs',
    delivered: 'Heute zugestellt',
  },
  keyFigures: 'Wichtige Zahlen',
  kpis: {
    active: 'Aktiv',
    today: 'Ankunft heute',
    late: 'Verspätet oder gefährdet',
    exceptions: 'Offene Probleme',
    onTime: 'Pünktlich, 30 Tage',
    onTimeSample: 'Pünktlich, Stichprobe aus 30 Tagen',
  },
  columns: { number: 'Sendung', route: 'Strecke', status: 'Status', eta: 'Ankunft', seen: 'Zuletzt gesehen' },
  list: 'Sendungen',
  empty: {
    active: 'Keine Sendung ist aktiv. Neue erscheinen hier.',
    attention: 'Keine Sendung braucht Aufmerksamkeit.',
    moving: 'Keine Sendung ist unterwegs.',
    delivered: 'Heute wurde keine Sendung zugestellt.',
  },
  noMatch: (query) => `Keine Sendung der Übersicht passt zu „${query}“.`,
  loaded: (count, total) =>
    `${count} von ${total} aktiven Sendungen sind geladen, zuerst die, die Aufmerksamkeit brauchen.`,
  full: 'Suchen Sie die anderen mit Nummer oder Referenz und der Eingabetaste.',
  more: 'Mehr anzeigen',
  times: 'Zeiten sind Ortszeiten. Die Zeitzone steht dabei, wenn es nicht Ihre ist.',
  planned: (when) => `geplant ${when}`,
  exceptionsMore: (text, more) => `${text}, und ${more} weitere`,
  late: (duration) => `${duration} verspätet`,
  onTime: 'pünktlich',
  silent: (duration) => `seit ${duration} keine Position`,
  notPickedUp: 'nicht rechtzeitig abgeholt',
  atRisk: 'gefährdet',
  now: 'jetzt',
  units: { minute: 'Min.', hour: 'Std.', day: 'T.' },
  map: 'Karte der aktiven Sendungen',
  mapText: (count) =>
    `${count === 1 ? '1 Sendung' : `${count} Sendungen`} mit bekanntem Standort. Die Liste hat dieselben Sendungen.`,
  mapEmpty: 'Noch hat keine aktive Sendung einen Standort gemeldet.',
  details: {
    close: 'Zurück zu allen Sendungen',
    loading: 'Die Sendung wird geladen …',
    missing: 'Diese Sendung gibt es nicht.',
    failed: 'Die Sendung kann gerade nicht geladen werden.',
    arrival: 'Ankunft',
    lastSeen: 'Zuletzt gesehen',
    notes: 'Hinweise',
    pickup: 'Abholfenster',
    delivery: 'Zustellfenster',
    route: 'Strecke',
    noPositions: 'Noch keine Positionen.',
    positions: (count) => (count === 1 ? '1 Position' : `${count} Positionen`),
    firstPositions: (count) => `Die ersten ${count} Positionen`,
    timeline: 'Verlauf',
    exceptions: 'Probleme',
    reported: (when) => `Gemeldet: ${when}`,
    resolved: (when) => `Behoben: ${when}`,
    proof,
    signedBy: (name) => `Unterschrieben von ${name}`,
    unattended: 'Ohne Unterschrift abgestellt',
    signature: 'Unterschrift',
    photo: (number) => `Foto ${number}`,
    noProof: 'Der Zustellnachweis kann gerade nicht geladen werden.',
  },
  figures: {
    loading: 'Die Sendungen der letzten 30 Tage werden geladen …',
    all: (count) => `Alle ${count} Sendungen, die in den letzten 30 Tagen angelegt wurden.`,
    sample: (count, ofDay) => `${count} Sendungen: höchstens ${ofDay} von jedem der letzten 30 Tage. Es gibt mehr.`,
    table: 'Als Tabelle',
    onTime: 'Pünktlichkeit nach Tagen',
    onTimeNote: 'Zustellungen von Sendungen mit Zustellfenster, nach dem Tag der Zustellung.',
    onTimeEmpty: 'Keine Sendung mit Zustellfenster wurde zugestellt.',
    dwell: 'Zeit in jedem Status',
    dwellNote: 'Die Hälfte der Sendungen hat den Status in kürzerer Zeit verlassen.',
    dwellEmpty: 'Keine Sendung hat einen Status verlassen.',
    exceptions: 'Probleme nach Art',
    exceptionsNote: 'Offen und behoben.',
    exceptionsEmpty: 'Es gab keine Probleme.',
    columns: {
      day: 'Tag',
      onTime: 'Pünktlich',
      late: 'Verspätet',
      status: 'Status',
      median: 'Median',
      longest: 'Am längsten',
      count: 'Sendungen',
      code: 'Problem',
      total: 'Gemeldet',
      open: 'Noch offen',
    },
  },
  closed: {
    none: {
      title: 'Dieser Link ist unvollständig',
      text: 'Öffnen Sie den Link so, wie der Betreiber des Dienstes ihn ausgegeben hat, mit allem nach dem #.',
    },
    expired: {
      title: expiredLink,
      text: 'Bitten Sie den Betreiber des Dienstes um einen neuen, der mit „waybill board“ erstellt wird.',
    },
    unknown: {
      title: unknownLink,
      text: 'Er ist unvollständig, oder er wurde widerrufen. Bitten Sie den Betreiber des Dienstes um einen neuen.',
    },
    forbidden: {
      title: 'Dieser Schlüssel kann die Übersicht nicht lesen',
      text: 'Ihm fehlt eine Berechtigung. Bitten Sie den Betreiber um einen Link, der mit „waybill board“ erstellt wird.',
    },
  },
};
