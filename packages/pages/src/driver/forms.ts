import { h, type JSX, type TargetedEvent } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import SignaturePad from 'signature_pad';
import { type Actions, codeField, frame, statusOf, type View } from './home.ts';
import { blobOf, shrink } from './images.ts';
import { type Fix, locate } from './location.ts';
import { type Action, codesIn, isHandoverCode } from './queue.ts';

interface FormProps {
  view: View;
  actions: Actions;
}

type Files = Parameters<Actions['add']>[1];

/** Adds an action once, and goes back when it is stored on the phone. */
function useSubmit({ view: { messages }, actions }: FormProps) {
  const [error, setError] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const submit = async (prepare: () => Promise<{ action: Action; files: Files }>): Promise<void> => {
    setBusy(true);
    const { action, files } = await prepare();
    const refusal = await actions.add(action, files);
    setBusy(false);
    if (refusal) setError(messages[refusal]);
    else actions.open(undefined);
  };
  return { error, isBusy, submit };
}

/** A form in the place of the whole screen, its button where the thumb is. */
function sheet(
  { view, actions }: FormProps,
  title: string,
  {
    button,
    isReady,
    hint,
    error,
    onSubmit,
  }: { button: string; isReady: boolean; hint?: string | undefined; error: string | undefined; onSubmit: () => void },
  ...fields: (JSX.Element | undefined)[]
): JSX.Element {
  const send = (event: Event) => {
    event.preventDefault();
    if (isReady) onSubmit();
  };
  return frame(
    view,
    h(
      'form',
      { class: 'sheet', onSubmit: send },
      h('main', null, h('h1', null, title), fields),
      h(
        'footer',
        null,
        hint && h('p', { class: 'note' }, hint),
        error && h('p', { class: 'note', role: 'alert' }, error),
        h('button', { type: 'submit', class: 'big', disabled: !isReady }, button),
        h('button', { type: 'button', onClick: () => actions.open(undefined) }, view.messages.back),
      ),
    ),
  );
}

interface PhotosProps {
  view: View;
  photos: Blob[];
  max: number;
  change: (photos: Blob[]) => void;
}

/** Takes photos with the camera, and shows them small. */
function Photos({ view: { messages }, photos, max, change }: PhotosProps): JSX.Element {
  const [isBad, setBad] = useState(false);
  const [urls, setUrls] = useState<string[]>([]);
  useEffect(() => {
    const made = photos.map((photo) => URL.createObjectURL(photo));
    setUrls(made);
    return () => {
      for (const url of made) URL.revokeObjectURL(url);
    };
  }, [photos]);
  const take = async (event: TargetedEvent<HTMLInputElement>) => {
    const input = event.currentTarget;
    const chosen = [...(input.files ?? [])].slice(0, max - photos.length);
    try {
      setBad(false);
      change([...photos, ...(await Promise.all(chosen.map(shrink)))]);
    } catch {
      setBad(true);
    }
    input.value = '';
  };
  return h(
    'div',
    { class: 'photos' },
    urls.map((url, index) =>
      h(
        'figure',
        { key: url },
        h('img', { src: url, alt: messages.photo(index + 1) }),
        h(
          'button',
          {
            type: 'button',
            'aria-label': messages.removePhoto(index + 1),
            onClick: () => change(photos.filter((_, other) => other !== index)),
          },
          '×',
        ),
      ),
    ),
    photos.length < max &&
      h(
        'label',
        { class: 'button' },
        `${messages.addPhoto} (${photos.length}/${max})`,
        h('input', { type: 'file', accept: 'image/*', capture: 'environment', onChange: take }),
      ),
    isBad && h('p', { role: 'alert' }, messages.badPhoto),
  );
}

const asFiles = (photos: Blob[]): Files => photos.map((file) => ({ kind: 'photo', file }));

/** Reports an exception. @param known the code, for the button "Nobody here" */
export function ProblemForm({ view, actions, known }: FormProps & { known?: 'nobody_there' }): JSX.Element {
  const { messages } = view;
  const [code, setCode] = useState<(Action & { kind: 'exception' })['code'] | undefined>(known);
  const [description, setDescription] = useState('');
  const [photos, setPhotos] = useState<Blob[]>([]);
  const { error, isBusy, submit } = useSubmit({ view, actions });
  const text = description.trim();
  const onSubmit = () =>
    code &&
    submit(async () => ({
      action: { kind: 'exception', code, ...(text && { description: text }) },
      files: asFiles(photos),
    }));
  const status = statusOf(view);
  const choices = codesIn(status).map((name) =>
    h(
      'label',
      { class: 'choice', key: name },
      h('input', { type: 'radio', name: 'code', checked: code === name, onChange: () => setCode(name) }),
      messages.exceptions[name],
    ),
  );
  return sheet(
    { view, actions },
    known ? messages.nobody : messages.wrong,
    { button: messages.report, isReady: code !== undefined && !isBusy, error, onSubmit },
    known ? undefined : h('fieldset', null, h('legend', null, messages.whatHappened), choices),
    // A delivered shipment accepts no uploads.
    status === 'delivered' ? undefined : h(Photos, { view, photos, max: 5, change: setPhotos }),
    h(
      'label',
      { class: 'field' },
      messages.description,
      h('textarea', {
        rows: 3,
        maxLength: 500,
        value: description,
        onInput: (event: TargetedEvent<HTMLTextAreaElement>) => setDescription(event.currentTarget.value),
      }),
    ),
  );
}

/** A field to sign on with a finger. @param change gets the canvas while something is drawn, else undefined */
function Signature({
  view: { messages },
  change,
}: {
  view: View;
  change: (canvas: HTMLCanvasElement | undefined) => void;
}) {
  const ref = useRef<HTMLCanvasElement>(null);
  const [pad, setPad] = useState<SignaturePad>();
  useEffect(() => {
    const canvas = ref.current as HTMLCanvasElement;
    // The lines keep their form on every screen: a point of the canvas is a pixel of it.
    const scale = Math.max(devicePixelRatio, 1);
    canvas.width = canvas.offsetWidth * scale;
    canvas.height = canvas.offsetHeight * scale;
    canvas.getContext('2d')?.scale(scale, scale);
    const made = new SignaturePad(canvas, { backgroundColor: '#fff', penColor: '#10233a' });
    made.addEventListener('endStroke', () => change(canvas));
    setPad(made);
    return () => made.off();
  }, []);
  const clear = () => {
    pad?.clear();
    change(undefined);
  };
  return h(
    'div',
    { class: 'signature' },
    h(
      'p',
      { class: 'signature-top' },
      messages.signature,
      h('button', { type: 'button', onClick: clear }, messages.clear),
    ),
    h('canvas', { ref, role: 'img', 'aria-label': messages.signature }),
  );
}

/** Collects the proof of delivery: who signs and the signature, or a photo of what is left; and where. */
export function ProofForm({ view, actions }: FormProps): JSX.Element {
  const { messages } = view;
  const [signedBy, setSignedBy] = useState('');
  const [canvas, setCanvas] = useState<HTMLCanvasElement>();
  const [isUnattended, setUnattended] = useState(false);
  const [code, setCode] = useState('');
  const [photos, setPhotos] = useState<Blob[]>([]);
  const [fix, setFix] = useState<Fix | 'finding' | 'failed'>('finding');
  const { error, isBusy, submit } = useSubmit({ view, actions });
  const find = () => {
    setFix('finding');
    // A position of this trip is better than none, for example in a hall.
    locate().then(setFix, () => setFix(view.fix ?? 'failed'));
  };
  useEffect(find, []);
  const name = signedBy.trim();
  const needsCode = view.link?.shipment?.handover_code_required === true;
  const missing = [
    needsCode && !isHandoverCode(code) && messages.handoverCode,
    !isUnattended && !name && messages.signedBy,
    !isUnattended && !canvas && messages.signature,
    isUnattended && photos.length === 0 && messages.photo(1),
    typeof fix === 'string' && messages.location,
  ];
  const onSubmit = () =>
    submit(async () => {
      const { lat, lng } = fix as Fix;
      const handover = needsCode && { handover_code: code };
      const proof = { kind: 'proof', location: { lat, lng }, ...handover } as const;
      if (isUnattended) return { action: { ...proof, unattended: true }, files: asFiles(photos) };
      const signature = await blobOf(canvas as HTMLCanvasElement, 'image/png');
      const files: Files = [{ kind: 'signature', file: signature }, ...asFiles(photos)];
      return { action: { ...proof, signed_by: name }, files };
    });
  const leave = (event: TargetedEvent<HTMLInputElement>) => {
    setUnattended(event.currentTarget.checked);
    setCanvas(undefined); // a new field is empty
  };
  const needed = missing.filter(Boolean).join(', ');
  return sheet(
    { view, actions },
    messages.proof,
    {
      button: messages.deliverNow,
      isReady: needed === '' && !isBusy,
      hint: needed === '' ? undefined : messages.missing(needed),
      error,
      onSubmit: () => void onSubmit(),
    },
    needsCode ? codeField(messages, code, setCode) : undefined,
    isUnattended
      ? undefined
      : h(
          'label',
          { class: 'field' },
          messages.signedBy,
          h('input', {
            maxLength: 100,
            autocomplete: 'off',
            value: signedBy,
            onInput: (event: TargetedEvent<HTMLInputElement>) => setSignedBy(event.currentTarget.value),
          }),
        ),
    isUnattended ? undefined : h(Signature, { view, change: setCanvas }),
    view.link?.shipment?.signature_required
      ? undefined
      : h(
          'label',
          { class: 'choice' },
          h('input', { type: 'checkbox', checked: isUnattended, onChange: leave }),
          messages.unattended,
        ),
    h(Photos, { view, photos, max: 10, change: setPhotos }),
    h(
      'p',
      { class: 'where', role: 'status' },
      fix === 'finding' ? messages.locating : fix === 'failed' ? messages.notLocated : `✓ ${messages.located}`,
      fix === 'failed' && h('button', { type: 'button', onClick: find }, messages.tryAgain),
    ),
  );
}
