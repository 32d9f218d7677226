// The 3-D view of a run report: bodies coloured by a field, walls, force chains. Everything it shows is in the page.
import '@kitware/vtk.js/Rendering/Profiles/Geometry';
import '@kitware/vtk.js/Rendering/Profiles/Molecule';
import vtkActor from '@kitware/vtk.js/Rendering/Core/Actor';
import vtkCellArray from '@kitware/vtk.js/Common/Core/CellArray';
import vtkColorMaps from '@kitware/vtk.js/Rendering/Core/ColorTransferFunction/ColorMaps';
import vtkColorTransferFunction from '@kitware/vtk.js/Rendering/Core/ColorTransferFunction';
import vtkDataArray from '@kitware/vtk.js/Common/Core/DataArray';
import vtkGenericRenderWindow from '@kitware/vtk.js/Rendering/Misc/GenericRenderWindow';
import vtkMapper from '@kitware/vtk.js/Rendering/Core/Mapper';
import vtkPolyData from '@kitware/vtk.js/Common/DataModel/PolyData';
import vtkSphereMapper from '@kitware/vtk.js/Rendering/Core/SphereMapper';

const PALETTE = [[68, 119, 170], [238, 102, 119], [34, 136, 51], [204, 187, 68], [102, 204, 238], [170, 51, 119], [187, 187, 187]];

function decode(text, Type) {
  const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  return new Type(bytes.buffer);
}

function polyData(points) {
  const data = vtkPolyData.newInstance();
  data.getPoints().setData(points, 3);
  return data;
}

function addArray(attributes, name, values, components = 1) {
  attributes.addArray(vtkDataArray.newInstance({ name, numberOfComponents: components, values }));
}

/** Cells in VTK's layout: number of corners, corners, ... */
function setCells(data, kind, cells) {
  data[`set${kind}`](vtkCellArray.newInstance({ values: cells }));
}

function actorOf(mapper, change = () => {}) {
  const actor = vtkActor.newInstance();
  actor.setMapper(mapper);
  change(actor.getProperty());
  return actor;
}

function lookup(range, categories) {
  const table = vtkColorTransferFunction.newInstance();
  if (categories) {
    for (let k = 0; k <= range[1]; ++k) {
      const colour = PALETTE[k % PALETTE.length].map((v) => v / 255);
      table.addRGBPoint(k, ...colour);
    }
  } else {
    table.applyColorMap(vtkColorMaps.getPresetByName('Viridis (matplotlib)'));
    table.setMappingRange(range[0], range[1]);
    table.updateRange();
  }
  return table;
}

function short(x) {
  const a = Math.abs(x);
  return a === 0 || (a >= 1e-3 && a < 1e5) ? String(Number(x.toPrecision(3))) : x.toExponential(1);
}

function start() {
  const holder = document.getElementById('view');
  const scene = JSON.parse(document.getElementById('scene').textContent);
  const dark = window.matchMedia('(prefers-color-scheme: dark)');
  const background = () => (dark.matches ? [0.10, 0.11, 0.13] : [0.965, 0.968, 0.972]);
  const window3d = vtkGenericRenderWindow.newInstance({ background: background() });
  window3d.setContainer(holder);
  const renderer = window3d.getRenderer(), render = () => window3d.getRenderWindow().render();
  const parts = {};

  const fields = Object.fromEntries(Object.entries(scene.fields).map(([name, text]) => [name, decode(text, Float32Array)]));
  const coloured = [];  // what follows the choice of a field
  if (scene.points) {
    const data = polyData(decode(scene.points, Float32Array));
    const n = data.getPoints().getNumberOfPoints();
    addArray(data.getPointData(), 'radius', decode(scene.radius, Float32Array));
    const mapper = vtkSphereMapper.newInstance();
    mapper.setInputData(data);
    mapper.setScaleArray('radius');
    coloured.push({ data, mapper, values: (field) => field.subarray(0, n) });
    renderer.addActor(actorOf(mapper, (p) => { p.setAmbient(0.25); p.setDiffuse(0.85); p.setSpecular(0.1); p.setSpecularPower(20); }));
  }
  if (scene.surface) {  // bodies that are no spheres; `owner`: which body a point belongs to
    const data = polyData(decode(scene.surface.points, Float32Array));
    setCells(data, 'Polys', decode(scene.surface.cells, Uint32Array));
    const owner = decode(scene.surface.owner, Uint32Array);
    const mapper = vtkMapper.newInstance();
    mapper.setInputData(data);
    coloured.push({ data, mapper, values: (field) => Float32Array.from(owner, (k) => field[k]) });
    renderer.addActor(actorOf(mapper, (p) => { p.setInterpolationToFlat(); p.setAmbient(0.25); p.setDiffuse(0.85); }));
  }
  if (scene.walls) {
    const data = polyData(decode(scene.walls.points, Float32Array));
    setCells(data, 'Polys', decode(scene.walls.cells, Uint32Array));
    const mapper = vtkMapper.newInstance();
    mapper.setInputData(data);
    mapper.setScalarVisibility(false);
    const faces = actorOf(mapper, (p) => { p.setColor(0.55, 0.6, 0.68); p.setOpacity(0.4); p.setAmbient(0.4); p.setDiffuse(0.6); p.setInterpolationToFlat(); p.setBackfaceCulling(true); });
    const edges = vtkMapper.newInstance();
    const outline = polyData(decode(scene.walls.points, Float32Array));
    setCells(outline, 'Lines', decode(scene.walls.outline, Uint32Array));
    edges.setInputData(outline);
    parts.walls = [faces, actorOf(edges, (p) => { p.setColor(0.5, 0.55, 0.62); p.setOpacity(0.7); p.setLighting(false); })];
  }
  if (scene.chains) {
    const data = polyData(decode(scene.chains.points, Float32Array));
    setCells(data, 'Lines', decode(scene.chains.cells, Uint32Array));
    const P = decode(scene.chains.values, Float32Array);
    data.getCellData().setScalars(vtkDataArray.newInstance({ name: 'normal_percussion', values: P }));
    const mapper = vtkMapper.newInstance();
    mapper.setInputData(data);
    const table = vtkColorTransferFunction.newInstance();
    table.applyColorMap(vtkColorMaps.getPresetByName('Inferno (matplotlib)'));
    table.setMappingRange(0, scene.chains.strong);
    table.updateRange();
    mapper.setLookupTable(table);
    mapper.setUseLookupTableScalarRange(true);
    mapper.setScalarModeToUseCellData();
    parts.chains = [actorOf(mapper, (p) => { p.setLineWidth(2); p.setLighting(false); })];
  }

  const legend = document.getElementById('legend');
  function colourBy(name) {
    const field = fields[name], range = scene.ranges[name], table = lookup(range, name === 'rank');
    for (const part of coloured) {
      part.data.getPointData().setScalars(vtkDataArray.newInstance({ name, values: part.values(field) }));
      part.mapper.setLookupTable(table);
      part.mapper.setUseLookupTableScalarRange(name !== 'rank');
      part.mapper.setScalarRange(range[0], range[1]);
      part.data.modified();
    }
    const stops = Array.from({ length: 9 }, (_, i) => {
      const c = [0, 0, 0];
      table.getColor(range[0] + (range[1] - range[0]) * i / 8, c);
      return `rgb(${c.map((v) => Math.round(255 * v)).join(',')})`;
    });
    legend.querySelector('.bar').style.background = `linear-gradient(to right, ${stops.join(',')})`;
    legend.querySelector('.low').textContent = short(range[0]);
    legend.querySelector('.high').textContent = short(range[1]);
    render();
  }
  const select = document.getElementById('field');
  for (const name of Object.keys(fields)) select.add(new Option(scene.labels[name] || name, name));
  select.value = scene.field;
  select.addEventListener('change', () => colourBy(select.value));
  for (const [name, actors] of Object.entries(parts)) {
    const box = document.getElementById(`show-${name}`);
    const show = () => { actors.forEach((a) => (box.checked ? renderer.addActor(a) : renderer.removeActor(a))); render(); };
    box.parentElement.hidden = false;
    box.addEventListener('change', show);
    show();
  }

  const camera = renderer.getActiveCamera();
  function look() {
    const { direction, up } = scene.camera;
    camera.setFocalPoint(0, 0, 0);
    camera.setPosition(-direction[0], -direction[1], -direction[2]);
    camera.setViewUp(...up);
    renderer.resetCamera();
    camera.zoom(1.4);
    renderer.resetCameraClippingRange();
    render();
  }
  document.getElementById('reset').addEventListener('click', look);
  dark.addEventListener('change', () => { renderer.setBackground(...background()); render(); });
  window.addEventListener('resize', () => window3d.resize());
  window3d.resize();
  colourBy(scene.field);
  look();
  holder.dataset.state = 'ready';
  holder.dataset.bodies = String(scene.count);
  holder.dataset.surfaces = String(scene.surfaces || 0);
}

function safely() {
  try {
    start();
  } catch (error) {
    const holder = document.getElementById('view');
    holder.dataset.state = 'failed';
    holder.textContent = `The 3-D view cannot be shown here: ${error.message}`;
    throw error;
  }
}
if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', safely);
else safely();
